// `unsafe`: passes the addresses of arrays to C for the duration of a call.

internal import CLCMSShim
internal import SystemSupport

/// Conversions of profiles with tables by Little CMS.
enum LittleCMS {
    /// The reason why colors cannot be converted.
    enum Failure: Error {
        /// Little CMS is not installed.
        case unavailable
        /// The profile is invalid.
        case invalidProfile(String)
    }

    /// Returns colors as XYZ relative to D50, three numbers each.
    ///
    /// - Parameters:
    ///   - colors: The device values from 0 to 1, `channelCount` for each color.
    ///   - profile: The ICC profile of the colors.
    ///   - channelCount: 1 for gray, 3 for RGB, 4 for CMYK.
    static func xyz(of colors: [Double], profile: [UInt8], channelCount: Int) throws(Failure) -> [Double] {
        guard prep_lcms_is_available() else { throw .unavailable }
        precondition(colors.count % channelCount == 0)
        let count = colors.count / channelCount
        var xyz = [Double](repeating: 0, count: count * 3)
        var message = [CChar](repeating: 0, count: Int(PREP_LCMS_MESSAGE_SIZE))
        let isConverted = unsafe profile.withUnsafeBufferPointer { profile in
            unsafe colors.withUnsafeBufferPointer { colors in
                unsafe xyz.withUnsafeMutableBufferPointer { xyz in
                    unsafe message.withUnsafeMutableBufferPointer { message in
                        guard let bytes = profile.baseAddress, let colors = colors.baseAddress,
                            let xyz = xyz.baseAddress, let message = message.baseAddress
                        else { return false }
                        return unsafe prep_lcms_convert_to_xyz(
                            bytes, profile.count, Int32(channelCount), colors, count, xyz, message)
                    }
                }
            }
        }
        guard isConverted else {
            let text = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            throw .invalidProfile(text.escapingInvisibleScalars)
        }
        guard xyz.allSatisfy({ $0.magnitude <= 100 }) else { throw .invalidProfile("the results are not finite") }
        return xyz
    }
}
