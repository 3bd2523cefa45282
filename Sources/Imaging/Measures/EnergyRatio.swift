/// The energies of fine and of coarse detail of places in one direction.
///
/// The places that are rich in coarse detail show how much fine detail comes with it. The flattest ones show the fine
/// detail of noise, which is subtracted.
struct EnergyRatio {
    /// The share of the places that are rich in coarse detail, and of those that are flat, in per cent.
    private static let richPercentage = 10, flatPercentage = 30
    /// The fine detail in flat places is multiplied by this. It is a little more than noise alone, because JPEG removes
    /// noise from flat places first.
    private static let noiseMargin = 1.25

    /// A rich place.
    struct RichPlace {
        /// The index of the place.
        var index: Int
        /// The fine detail that is not noise.
        var excess: Double
        var coarse: Double
    }

    /// The rich places, in their order.
    ///
    /// Places that are equal to the last one are included, so that their order does not matter.
    private(set) var richPlaces: [RichPlace] = []

    /// Finds the rich places.
    ///
    /// - Parameters:
    ///   - fineEnergies: Energies of fine detail, four for each place, of less than 2^53.
    ///   - coarseEnergies: Energies of coarse detail.
    ///   - indices: The places to use, at least one.
    ///   - direction: The direction, 0 to 3.
    init<Fine: BinaryInteger, Coarse: BinaryInteger>(
        fine fineEnergies: ContiguousArray<Fine>, coarse coarseEnergies: ContiguousArray<Coarse>, at indices: [Int],
        direction: Int
    ) {
        let count = indices.count, fineSpan = fineEnergies.span, coarseSpan = coarseEnergies.span
        var fine: [Double] = [], coarse: [Double] = []
        fine.reserveCapacity(count)
        coarse.reserveCapacity(count)
        for index in indices {
            fine.append(Double(fineSpan[DetailPlaces.directionCount * index + direction]))
            coarse.append(Double(coarseSpan[DetailPlaces.directionCount * index + direction]))
        }
        var ranked = coarse
        let richRank = count - max(1, count * Self.richPercentage / 100)
        ranked.moveSmallest(richRank + 1)
        let richLimit = max(1, ranked[richRank])
        let flatRank = count * Self.flatPercentage / 100
        ranked.moveSmallest(flatRank + 1, among: richRank + 1)
        let flatLimit = ranked[flatRank]
        var sum = 0.0, flatCount = 0.0
        for i in 0..<count where coarse[i] <= flatLimit {
            sum += fine[i]
            flatCount += 1
        }
        // A whole number, so that sums of differences do not depend on the order of the places.
        let noise = (Self.noiseMargin * sum / flatCount).rounded()
        for i in 0..<count where coarse[i] >= richLimit {
            richPlaces.append(RichPlace(index: indices[i], excess: fine[i] - noise, coarse: coarse[i]))
        }
    }

    /// The sums of rich places.
    struct Sum {
        private var excess = 0.0, coarse = 0.0
        private(set) var count = 0

        static func += (lhs: inout Sum, place: RichPlace) {
            lhs.excess += place.excess
            lhs.coarse += place.coarse
            lhs.count += 1
        }

        /// Fine detail without noise, divided by coarse detail.
        var ratio: Double { coarse > 0 ? excess / coarse : 0 }
    }

    /// The ratio of all rich places together.
    var ofRichPlaces: Double { richPlaces.reduce(into: Sum()) { $0 += $1 }.ratio }
}

extension Array where Element: Comparable {
    /// Moves the smallest elements of the first `end` ones to the front, and the largest of these to their last place.
    /// Their order is undefined otherwise.
    ///
    /// Source: Hoare, "Algorithm 65: Find" (1961).
    ///
    /// - Complexity: Linear in `end` on average.
    mutating func moveSmallest(_ number: Int, among end: Int? = nil) {
        var range = 0..<(end ?? count)
        let rank = number - 1
        var elements = mutableSpan
        while range.count > 1 {
            let pivot = elements[range.lowerBound + range.count / 2]
            let equalStart = elements.moveToFront(of: range) { $0 < pivot }
            if rank < equalStart {
                range = range.lowerBound..<equalStart
            } else {
                let greaterStart = elements.moveToFront(of: equalStart..<range.upperBound) { $0 == pivot }
                if rank < greaterStart { return }
                range = greaterStart..<range.upperBound
            }
        }
    }
}

extension MutableSpan {
    /// Moves the elements in `range` that meet a condition before the others, and returns where those begin.
    ///
    /// Every element is swapped, because the processor cannot predict a branch: the selection takes 0.3 to 0.4 of the
    /// time with branches.
    @inline(__always)
    fileprivate mutating func moveToFront(of range: Range<Int>, where isWanted: (Element) -> Bool) -> Int {
        var end = range.lowerBound
        for index in range {
            let element = self[index]
            self[index] = self[end]
            self[end] = element
            end += isWanted(element) ? 1 : 0
        }
        return end
    }
}
