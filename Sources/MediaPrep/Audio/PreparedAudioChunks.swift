internal import Synchronization

extension PreparedAudio {
    /// The bytes of prepared audio as an asynchronous sequence of chunks. Each iterator reads from the beginning.
    ///
    /// ```swift
    /// for try await bytes in audio.chunks(ofSize: 65_536) { try await connection.send(bytes) }
    /// ```
    public struct Chunks: AsyncSequence, Sendable {
        /// The bytes of a chunk, at least one.
        public typealias Element = [UInt8]
        /// The error of reading.
        public typealias Failure = MediaError

        let audio: PreparedAudio
        let chunkSize: Int

        /// Returns an iterator, which opens the file when the first chunk is requested.
        public func makeAsyncIterator() -> Iterator {
            Iterator(source: ChunkSource(audio: audio), chunkSize: chunkSize)
        }

        /// An iterator over the chunks. Copies of an iterator share its position.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let source: ChunkSource
            fileprivate let chunkSize: Int

            /// Reads the next chunk on ``BlockingThreadPool/shared``, or returns `nil` after the last.
            ///
            /// After an error, the iteration has ended.
            ///
            /// - Throws: ``MediaError/Code/changedWhileRead`` if the file changed since it was inspected, which is also
            ///   checked after the last chunk; ``MediaError/Code/unreadable``; ``MediaError/Code/cancelled`` if the
            ///   task was cancelled.
            public mutating func next() async throws(MediaError) -> [UInt8]? {
                try await BlockingThreadPool.shared.run { [source, chunkSize] () throws(MediaError) in
                    try source.nextChunk(ofSize: chunkSize)
                }
            }
        }
    }
}

/// The position of an iteration. Chunks are read on another thread than the one that requests them.
private final class ChunkSource: Sendable {
    private struct Position: ~Copyable {
        var reader: PreparedAudioReader?
        var isAtEnd = false
    }

    private let audio: PreparedAudio
    private let position = Mutex(Position())

    init(audio: PreparedAudio) { self.audio = audio }

    func nextChunk(ofSize size: Int) throws(MediaError) -> [UInt8]? {
        try position.withLock { (position) throws(MediaError) in
            if position.isAtEnd { return nil }
            // Only a whole chunk continues the iteration.
            position.isAtEnd = true
            // The end of the sequence would look like the end of the file.
            if Task.isCancelled {
                throw MediaError(.cancelled, verdict: .failed, stage: .read, message: "the task was cancelled")
            }
            var reader = if let opened = position.reader.take() { opened } else { try PreparedAudioReader(audio) }
            guard let chunk = try reader.nextChunk(ofSize: size) else { return nil }
            position.reader = consume reader
            position.isAtEnd = false
            return chunk
        }
    }
}
