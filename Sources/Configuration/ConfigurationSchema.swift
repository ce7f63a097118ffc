public import JSON
internal import SettingsFile

/// The JSON Schema (draft 2020-12) of the configuration file, made of the same table that reads it.
public enum ConfigurationSchema {
    public static var json: JSONValue {
        SettingsSchema.document(
            BridgeDraft.mapping, title: "Fleet Bridge configuration", definitions: MappingKinds.definitions)
    }

    /// The schema as it is shipped: indented, with a line break at the end.
    public static var text: String { SettingsSchema.text(json) }
}
