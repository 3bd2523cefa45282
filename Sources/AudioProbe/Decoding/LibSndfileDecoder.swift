// `unsafe`: libsndfile's handle, and the callbacks through which it reads the file.

internal import CLibSndfile
internal import CSndfileShim
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A decoder for one audio file, implemented by libsndfile.
@safe struct LibSndfileDecoder: ~Copyable {
    /// The decoder's handle. This value owns and closes it.
    private let handle: OpaquePointer
    let sampleRate: Int
    let channels: Int
    /// The lowest absolute sample that counts as full scale.
    ///
    /// The highest integer sample is one step below 1.0. Audio that was clipped at 16 bits is often stored with more,
    /// and a lossy decoder has no steps, so that 16 bits are assumed where there are not fewer.
    let clippingThreshold: Float

    /// Serializes opening: it writes to process-wide variables, even when it succeeds. Decoding does not.
    ///
    /// See `sf_open_virtual` and `sf_strerror` in libsndfile 1.2.0.
    private static let openLock = Mutex(())

    /// Opens a decoder.
    ///
    /// - Parameter source: The file that the callbacks read. It must outlive this value.
    /// - Throws: ``AudioError/Code/undecodable``, ``AudioError/Code/decoderUnavailable``.
    init(source: UnsafeMutablePointer<LibSndfileVirtualFile>) throws(AudioError) {
        guard prep_sf_is_available() else {
            throw AudioError(
                .decoderUnavailable, stage: .decode, message: "libsndfile can't be loaded: it is not installed")
        }
        var io = LibSndfileVirtualFile.callbacks
        var info = SF_INFO()
        var opened: OpaquePointer?
        var reason: String?
        Self.openLock.withLock { _ in
            unsafe opened = prep_sf_open_virtual(&io, CInt(SFM_READ), &info, source)
            if unsafe opened == nil { reason = unsafe prep_sf_strerror(nil).map { unsafe String(cString: $0) } }
        }
        guard let handle = unsafe opened else {
            throw AudioError(
                .undecodable, stage: .decode,
                message: "libsndfile cannot decode the file: \(reason ?? "no reason given")")
        }
        unsafe self.handle = handle
        sampleRate = Int(info.samplerate)
        channels = Int(info.channels)
        switch Int(info.format) & SF_FORMAT_SUBMASK {
        case SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8: clippingThreshold = 127 / 128
        case SF_FORMAT_ULAW: clippingThreshold = 32_124 / 32_768
        case SF_FORMAT_ALAW: clippingThreshold = 32_256 / 32_768
        default: clippingThreshold = 32_767 / 32_768
        }
    }

    deinit { unsafe prep_sf_close(handle) }

    /// Decodes the next frames, each with one sample for every channel. Full scale is 1.0.
    ///
    /// - Returns: The number of frames decoded, or 0 at the end.
    /// - Precondition: `samples` has room for `count` samples of every channel.
    mutating func decodeFrames(count: Int, into samples: inout [Float]) -> Int {
        precondition(samples.count >= count * channels)
        return unsafe samples.withUnsafeMutableBufferPointer { [handle] target in
            unsafe target.baseAddress.map { unsafe Int(prep_sf_readf_float(handle, $0, sf_count_t(count))) } ?? 0
        }
    }
}

/// A file with a position, which libsndfile reads through callbacks. It may begin after tags.
@safe struct LibSndfileVirtualFile {
    private let reader: UnsafeMutablePointer<BufferedFileReader>
    private let startOffset: Int
    /// The number of bytes in front of the position.
    private var position = 0
    /// The error that a read threw. The read callback itself can only return that it read no bytes.
    private(set) var readError: AudioError?

    init(reader: UnsafeMutablePointer<BufferedFileReader>, startOffset: Int) {
        unsafe self.reader = reader
        self.startOffset = startOffset
    }

    private var byteCount: Int { unsafe reader.pointee.byteCount - startOffset }

    static var callbacks: SF_VIRTUAL_IO {
        unsafe SF_VIRTUAL_IO(
            get_filelen: {
                unsafe LibSndfileVirtualFile.virtualFile(fromUserData: $0).map {
                    unsafe sf_count_t($0.pointee.byteCount)
                } ?? -1
            },
            seek: { offset, whence, data in
                unsafe LibSndfileVirtualFile.virtualFile(fromUserData: data).map {
                    unsafe sf_count_t($0.pointee.seek(offset: Int(offset), whence: whence))
                } ?? -1
            },
            read: { target, count, data in
                unsafe LibSndfileVirtualFile.virtualFile(fromUserData: data).map { file in
                    let target = unsafe UnsafeMutableRawBufferPointer(start: target, count: Int(count))
                    return unsafe sf_count_t(file.pointee.read(into: target))
                } ?? 0
            },
            write: { _, _, _ in 0 },
            tell: {
                unsafe LibSndfileVirtualFile.virtualFile(fromUserData: $0).map {
                    unsafe sf_count_t($0.pointee.position)
                } ?? -1
            })
    }

    private static func virtualFile(fromUserData userData: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<
        LibSndfileVirtualFile
    >? {
        unsafe userData?.assumingMemoryBound(to: LibSndfileVirtualFile.self)
    }

    /// Moves the position as `lseek` does, within the file. `SEEK_END` fails on purpose.
    ///
    /// With the size of the file, libmpg123 would estimate a length from the bit rate of the first frame, and
    /// libsndfile would stop there: after 6.06 s of a VBR MP3 of 7.34 s.
    private mutating func seek(offset: Int, whence: CInt) -> Int {
        guard whence != SEEK_END, let target = (whence == SEEK_CUR ? position : 0).addingIfNoOverflow(offset),
            target >= 0
        else {
            return -1
        }
        position = min(target, byteCount)
        return position
    }

    private mutating func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        do throws(AudioError) {
            let readCount = unsafe try reader.pointee.copyBytes(at: startOffset + position, into: target)
            position += readCount
            return readCount
        } catch {
            self.readError = error
            return 0
        }
    }
}
