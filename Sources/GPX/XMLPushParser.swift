internal import CLibXML2

/// Hears what an XML document consists of.
protocol XMLElementHandler: AnyObject {
    func start(_ tag: XMLStartTag)
    func end()
    /// A piece of an element's text, as UTF-8; one text may come in many.
    func text(_ bytes: UnsafeBufferPointer<UInt8>)
}

/// A start tag while its handler runs; nothing of it may be kept.
struct XMLStartTag {
    fileprivate let localName: UnsafePointer<UInt8>
    fileprivate let uri: UnsafePointer<UInt8>?
    fileprivate let attributes: UnsafePointer<UnsafePointer<UInt8>?>?
    fileprivate let count: Int
    let place: TextPlace

    func isNamed(_ name: StaticString) -> Bool { equal(localName, name) }
    func isIn(namespace: StaticString) -> Bool { uri.map { equal($0, namespace) } ?? false }
    var name: String { String(cString: localName) }
    var namespace: String? { uri.map { String(cString: $0) } }

    /// The value of an attribute without a prefix; `nil` where there is none.
    func attribute(_ name: StaticString) -> UnsafeBufferPointer<UInt8>? {
        guard let attributes else { return nil }
        // Five pointers each: name, prefix, namespace, and where the value begins and ends.
        for index in stride(from: 0, to: count * 5, by: 5) {
            guard let local = attributes[index], attributes[index + 1] == nil, equal(local, name),
                let start = attributes[index + 3], let end = attributes[index + 4]
            else { continue }
            return UnsafeBufferPointer(start: start, count: end - start)
        }
        return nil
    }
}

private func equal(_ text: UnsafePointer<UInt8>, _ name: StaticString) -> Bool {
    let length = name.utf8CodeUnitCount
    for index in 0...length where text[index] != name.utf8Start[index] { return false }
    return true
}

/// Why a document cannot be read on.
enum XMLFault: Error, Hashable {
    /// Document types bring entities, and with them bombs and other people's files; GPX has none.
    case documentType(TextPlace)
    case malformed(TextPlace, String)
    case outOfMemory
}

/// Owns one `xmlParserCtxt`, which is fed piece by piece and keeps none of it. libxml2 ends here. Not `Sendable`: it belongs
/// to the thread that reads.
///
/// *Why not FoundationXML*: its memory is constant as well, but it takes three to five times as long (each element comes as a
/// dictionary of strings), calls a file that is cut short a success, and says nothing of a document type without entities.
final class XMLPushParser {
    private let context: xmlParserCtxtPtr
    fileprivate unowned let handler: any XMLElementHandler
    fileprivate var documentType: TextPlace?
    private var isStopped = false

    private static let isReady: Bool = {
        xmlInitParser()
        return true
    }()

    init(_ handler: any XMLElementHandler) throws(XMLFault) {
        self.handler = handler
        var sax = xmlSAXHandler()
        sax.initialized = XML_SAX2_MAGIC
        sax.startElementNs = onStart
        sax.endElementNs = onEnd
        sax.characters = onText
        sax.cdataBlock = onText
        sax.ignorableWhitespace = onText
        sax.internalSubset = onDocumentType
        guard Self.isReady, let context = xmlCreatePushParserCtxt(&sax, nil, nil, 0, nil) else { throw .outOfMemory }
        self.context = context
        xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue))
        // Unretained: the context dies before this object does.
        context.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit { xmlFreeParserCtxt(context) }

    /// Where reading has come to.
    var place: TextPlace {
        guard let input = context.pointee.input else { return TextPlace(line: 1, column: 1) }
        return TextPlace(line: Int(input.pointee.line), column: Int(input.pointee.col))
    }

    /// Ends the reading: nothing more is told.
    func stop() {
        isStopped = true
        xmlStopParser(context)
    }

    func feed(_ bytes: UnsafeRawBufferPointer) throws(XMLFault) {
        try parse(bytes, isLast: false)
    }

    /// - Throws: Also where the document is not complete.
    func finish() throws(XMLFault) {
        try parse(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
    }

    private func parse(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(XMLFault) {
        guard !isStopped else { return }
        let code = xmlParseChunk(
            context, bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count), isLast ? 1 : 0)
        if let documentType { throw .documentType(documentType) }
        // An undeclared prefix is an error to libxml2, but the document is read on.
        guard !isStopped, code != 0, context.pointee.wellFormed == 0 else { return }
        // libxml2 speaks of extra content where content is missing.
        if isLast, code == Int32(XML_ERR_DOCUMENT_END.rawValue) {
            throw .malformed(place, "the file ends before its elements do")
        }
        guard let error = xmlCtxtGetLastError(context) else { throw .malformed(place, "not well-formed") }
        let message = error.pointee.message.map { String(cString: $0) } ?? "not well-formed"
        let text = message.split(whereSeparator: \.isNewline).first.map(String.init) ?? "not well-formed"
        throw .malformed(
            TextPlace(line: max(1, Int(error.pointee.line)), column: max(1, Int(error.pointee.int2))), text)
    }

    /// Where the tag begins that has just been read: no `<` can stand inside of one.
    fileprivate var tagPlace: TextPlace {
        guard let input = context.pointee.input, let base = input.pointee.base, var at = input.pointee.cur else {
            return place
        }
        var (line, column) = (Int(input.pointee.line), Int(input.pointee.col))
        var isSameLine = true
        while at > base, at.pointee != UInt8(ascii: "<") {
            at -= 1
            if at.pointee == UInt8(ascii: "\n") {
                line -= 1
                isSameLine = false
            } else if isSameLine {
                column -= 1
            }
        }
        if !isSameLine {
            var start = at
            while start > base, start[-1] != UInt8(ascii: "\n") { start -= 1 }
            column = at - start + 1
        }
        return TextPlace(line: max(1, line), column: max(1, column))
    }
}

private func parser(_ context: UnsafeMutableRawPointer?) -> XMLPushParser? {
    context.map { Unmanaged<XMLPushParser>.fromOpaque($0).takeUnretainedValue() }
}

private func onStart(
    context: UnsafeMutableRawPointer?, localName: UnsafePointer<UInt8>?, prefix: UnsafePointer<UInt8>?,
    uri: UnsafePointer<UInt8>?, namespaceCount: Int32, namespaces: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    count: Int32, defaulted: Int32, attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
) {
    guard let parser = parser(context), let localName else { return }
    parser.handler.start(
        XMLStartTag(
            localName: localName, uri: uri, attributes: attributes.map { UnsafePointer($0) }, count: Int(count),
            place: parser.tagPlace))
}

private func onEnd(
    context: UnsafeMutableRawPointer?, localName: UnsafePointer<UInt8>?, prefix: UnsafePointer<UInt8>?,
    uri: UnsafePointer<UInt8>?
) {
    parser(context)?.handler.end()
}

private func onText(context: UnsafeMutableRawPointer?, text: UnsafePointer<UInt8>?, count: Int32) {
    parser(context)?.handler.text(UnsafeBufferPointer(start: text, count: Int(count)))
}

private func onDocumentType(
    context: UnsafeMutableRawPointer?, name: UnsafePointer<UInt8>?, publicID: UnsafePointer<UInt8>?,
    systemID: UnsafePointer<UInt8>?
) {
    guard let parser = parser(context) else { return }
    parser.documentType = parser.tagPlace
    parser.stop()
}
