/// A request that a relay forwards to the backend, and the fault that it injects.
struct ForwardedRequest {
    var requestHead: HTTPMessageHead
    /// The length of the body in bytes.
    var contentLength: Int64
    var fault: FaultConfiguration.Fault
    var bytesPerSecond: Int?
    /// The number of bytes of the body read so far.
    var bodyBytesRead: Int64 = 0

    /// The head that is sent to the backend: without keep-alive, and with the fault that the backend must inject.
    var upstreamHead: HTTPMessageHead {
        var head = requestHead
        head.replaceFields(
            named: ["expect", "connection", FaultHeader.fieldName.lowercased()], with: ("Connection", "close"))
        if let faultHeader = FaultHeader(fault: fault) {
            head.fields.append((FaultHeader.fieldName, faultHeader.fieldValue))
        }
        return head
    }

    /// The number of bytes of the body after which the connection is reset; `nil` for no reset.
    var resetOffset: Int64? {
        guard case .resetWithinBody(let share) = fault else { return nil }
        return min(Int64(Double(contentLength) * share), contentLength - 1)
    }
}
