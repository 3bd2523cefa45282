// `unsafe`: passes C strings, and calls a function by its address.

import CDynamicLibrary
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

#if os(Linux)
    @Suite("A library is loaded when it is first used")
    struct DynamicLibraryTests {
        /// Loads functions that take and return a number.
        private func loadFunctions(
            _ functions: [String], from files: [String]
        ) -> [@convention(c) (Double) -> Double]? {
            // The test keeps the strings: there are few.
            let fileNames: [UnsafePointer<CChar>?] = unsafe files.map { unsafe UnsafePointer(strdup($0)) } + [nil]
            let names: [UnsafePointer<CChar>] = unsafe functions.compactMap { unsafe strdup($0) }
                .map { unsafe UnsafePointer($0) }
            var addresses: [UnsafeRawPointer?] = unsafe Array(repeating: nil, count: functions.count)
            guard unsafe prep_load_functions(fileNames, names, functions.count, &addresses) else { return nil }
            return unsafe addresses.map { unsafe unsafeBitCast($0, to: (@convention(c) (Double) -> Double).self) }
        }

        @Test("Its functions are stored in the order of their names")
        func functionsAreStoredInOrder() throws {
            let functions = try #require(loadFunctions(["floor", "ceil"], from: ["libm.so.6"]))
            #expect(functions[0](1.5) == 1)
            #expect(functions[1](1.5) == 2)
        }

        @Test("Another name is tried if the first does not exist")
        func secondNameIsTried() throws {
            let functions = try #require(loadFunctions(["floor"], from: ["libnonexistent.so.1", "libm.so.6"]))
            #expect(functions[0](-0.5) == -1)
        }

        @Test("A library or a function that does not exist is reported")
        func missingLibraryOrFunctionIsReported() {
            #expect(loadFunctions(["floor"], from: ["libnonexistent.so.1"]) == nil)
            #expect(loadFunctions(["floor"], from: []) == nil)
            #expect(loadFunctions(["floor", "nonexistent"], from: ["libm.so.6"]) == nil)
        }
    }
#endif
