public import MQTTModel
public import SettingsFile

/// A file with a password and nothing else.
public enum PasswordFile {
    public static func read(
        _ path: String, _ surroundings: Surroundings = .system
    ) -> Result<Secret, Surroundings.FileError> {
        surroundings.read(path).flatMap { file in
            Secret(passwordFile: file.bytes).map { .success($0) }
                ?? .failure(Surroundings.FileError("expected a password: one line of 1 to 65535 bytes without NUL"))
        }
    }
}
