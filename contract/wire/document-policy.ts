/** Content security policy of a document that has no own policy: it runs, loads and frames nothing. */
export const CLOSED_DOCUMENT_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Returns true if browsers open this media type as a document that can run scripts: HTML, SVG and other XML. Only such
 * responses have a content security policy (docs/decisions/0096). `X-Content-Type-Options: nosniff` prevents browsers
 * from opening any other type as a document.
 */
export const isDocumentType = (contentType: string | null): boolean => /^[^;]*(?:html|xml)/i.test(contentType ?? '')
