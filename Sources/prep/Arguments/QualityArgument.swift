internal import ArgumentParser

/// A JPEG quality, or `auto` for the quality that reaches a score.
enum QualityArgument: ExpressibleByArgument, CustomStringConvertible {
    case fixed(Int)
    case automatic

    init?(argument: String) {
        if argument == "auto" {
            self = .automatic
        } else if let quality = Int(argument) {
            self = .fixed(quality)
        } else {
            return nil
        }
    }

    var description: String {
        switch self {
        case .fixed(let quality): "\(quality)"
        case .automatic: "auto"
        }
    }
}
