internal import FleetEngine
internal import SettingsFile
internal import YAML

/// `homeAssistant`, with the place of what is held against other settings.
struct HomeAssistantDraft {
    var settings = HomeAssistantSettings()
    var prefixPlace = YAMLPlace(line: 1, column: 1)

    static var mapping: Mapping<HomeAssistantDraft> {
        Mapping(fields: [
            Field(
                "discoveryPrefix", .topicPrefix,
                "The levels that Home Assistant looks for discovery messages below, as in its own settings."
            ) { draft, prefix, node in
                draft.settings.discoveryPrefix = prefix
                draft.prefixPlace = node.place
            },
            Field(
                "discovery", .choice, \.settings.discovery,
                "One message for each location, or one for each of its entities, which older versions understand."),
        ])
    }
}
