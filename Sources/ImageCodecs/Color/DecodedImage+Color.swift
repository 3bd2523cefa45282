internal import Imaging

extension ImageSource.DecodedImage {
    /// The color space that the file describes, and what it means for a conversion to sRGB; `nil` if it describes none.
    ///
    /// - Complexity: Milliseconds for the first image with a color space, which is then cached.
    package var colorInterpretation: ColorInterpretation? {
        colorDescription.map {
            ColorInterpretationCache.shared.interpretation(
                for: .init(description: $0, samples: image.planes.count == 1 ? .gray : .color))
        }
    }

    /// The name of the color space that the file describes, without control characters; `nil` if there is none.
    package var colorSpaceName: String? {
        if let codedColorSpace { return codedColorSpace.name }
        return iccProfile.flatMap(ColorProfile.name(of:))
    }

    private var colorDescription: ColorDescription? {
        codedColorSpace.map { .coded($0) } ?? iccProfile.map { .iccProfile($0) }
    }

    /// Converts the image to sRGB, and removes its profile.
    ///
    /// - Parameter conversion: The conversion of ``colorInterpretation``.
    package mutating func convertToSRGB(with conversion: ColorConversion) {
        switch conversion {
        case .color(let table): image.convertColors(with: table)
        case .gray(let table): image.convertGray(with: table)
        case .ink: preconditionFailure("the decoder converts CMYK")
        }
        removeColorDescription()
    }

    /// Removes the profile. The samples stay as they are.
    package mutating func removeColorDescription() {
        (iccProfile, codedColorSpace) = (nil, nil)
        imageDataByteCount -= profileSegmentsByteCount
        profileSegmentsByteCount = 0
    }
}
