/// The version of the programs.
public enum Version {
    public static let current = "0.1.0"
}
