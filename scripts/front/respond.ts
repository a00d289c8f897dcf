import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Http2ServerResponse } from 'node:http2'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type FrontRequest, createClientHeaders } from './headers.ts'
import {
  chooseEncoding,
  createEncoder,
  type Encoding,
  isCompressible,
  markEncoded,
  varyByEncoding,
} from './encoding.ts'
import { type CompressedFile, type FileCache, getStorableTag } from './file-cache.ts'

export type FrontResponse = ServerResponse | Http2ServerResponse

/** Starts the response. TypeScript cannot call a method of the union, because the overloads differ. */
export function startResponse(response: FrontResponse, status: number, headers: OutgoingHttpHeaders = {}): void {
  if ('stream' in response) return void response.writeHead(status, headers)
  // Connections of HTTP/1.1 persist by default. Node would repeat this in 45 bytes of each response.
  if (response.req.httpVersion === '1.1' && response.shouldKeepAlive) response.removeHeader('connection')
  response.writeHead(status, headers)
}

/** Paths whose responses may contain tokens of a sign-in. They are never compressed (docs/decisions/0096). */
const SECRET_PATH = /^\/api\/auth(?:\/|$)/

/** Compares the decoded path, because the Worker decodes it too. */
function isSecretPath(url: string): boolean {
  try {
    return SECRET_PATH.test(decodeURIComponent(url.split('?')[0] ?? ''))
  } catch {
    return true
  }
}

/** `FileCache` of a front whose Worker may be compressed; null turns compression off. */
export type CompressionCache = FileCache | null

/**
 * Sends an immutable file from the memory. Returns false if the Worker has to respond: the file is not in the memory,
 * or the request has a condition.
 */
export function sendStoredFile(request: FrontRequest, response: FrontResponse, cache: CompressionCache): boolean {
  const { headers, url = '' } = request
  const encoding = cache === null ? null : chooseEncoding(readAcceptEncoding(headers))
  if (cache === null || encoding === null || request.method !== 'GET') return false
  if (headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined) return false
  if (headers.range !== undefined) return false
  const file = cache.findImmutable(url, encoding)
  if (file === null) return false
  sendFile(response, file)
  return true
}

/**
 * Sends the Worker's response to the client, compressed if both allow it. Rejects if one of them ends the connection
 * before the body is complete.
 */
export async function sendAnswer(
  request: FrontRequest,
  answer: IncomingMessage,
  response: FrontResponse,
  cache: CompressionCache,
): Promise<void> {
  const status = answer.statusCode ?? 502
  const headers = createClientHeaders(answer.headers)
  const url = request.url ?? ''
  const encoding = cache === null || isSecretPath(url) ? null : negotiate(request, status, headers)
  if (encoding === null || cache === null) return sendPlain(status, headers, answer, response)
  const etag = getStorableTag(url, status, headers)
  if (etag !== null && request.method === 'GET') {
    const file = cache.findVersion(url, encoding, etag)
    if (file === null) return compressFile(url, encoding, etag, { headers, answer, response, cache })
    answer.resume()
    return sendFile(response, file)
  }
  const size = Number(headers['content-length'])
  markEncoded(headers, encoding)
  if (request.method === 'HEAD') return sendPlain(status, headers, answer, response)
  startResponse(response, status, headers)
  await pipeline(answer, createEncoder(encoding, 'answer', size || undefined), response)
}

/** Returns the encoding of the response; null for none. Sets `Vary` if the response depends on the client's encodings. */
function negotiate(request: FrontRequest, status: number, headers: OutgoingHttpHeaders): Encoding | null {
  if (status === 304) {
    varyByEncoding(headers)
    restoreWeakTag(request, headers)
    return null
  }
  if (!isCompressible(status, headers)) return null
  varyByEncoding(headers)
  return request.headers.range === undefined ? chooseEncoding(readAcceptEncoding(request.headers)) : null
}

/** The client of a 304 response keeps the entity tag that it has, which is weak if its copy was compressed. */
function restoreWeakTag(request: FrontRequest, headers: OutgoingHttpHeaders): void {
  const { etag } = headers
  const condition = request.headers['if-none-match']
  if (typeof etag === 'string' && condition?.includes(`W/${etag}`)) headers['etag'] = `W/${etag}`
}

const readAcceptEncoding = (headers: FrontRequest['headers']): string | undefined => {
  const value = headers['accept-encoding']
  return Array.isArray(value) ? value.join(', ') : value
}

async function sendPlain(
  status: number,
  headers: OutgoingHttpHeaders,
  answer: IncomingMessage,
  response: FrontResponse,
): Promise<void> {
  startResponse(response, status, headers)
  // Sends the headers of a stream, such as an event stream, before its first byte. HTTP/2 always does.
  if (headers['content-length'] === undefined && 'flushHeaders' in response) response.flushHeaders()
  // `pipeline` would take a tenth of the whole time of a rejected request.
  await new Promise<void>((resolve, reject) => {
    answer.once('error', reject).once('end', resolve)
    answer.pipe(response)
  })
}

/** Compresses a static file, stores it and sends it. */
async function compressFile(
  url: string,
  encoding: Encoding,
  etag: string,
  { headers, answer, response, cache }: FileTransfer,
): Promise<void> {
  const encoder = createEncoder(encoding, 'file', Number(headers['content-length']))
  const [body] = await Promise.all([buffer(encoder), pipeline(answer, encoder)])
  markEncoded(headers, encoding)
  const file = { etag, headers: { ...headers, 'content-length': body.length }, body }
  cache.add(url, encoding, file)
  sendFile(response, file)
}

interface FileTransfer {
  readonly headers: OutgoingHttpHeaders
  readonly answer: IncomingMessage
  readonly response: FrontResponse
  readonly cache: FileCache
}

function sendFile(response: FrontResponse, { headers, body }: CompressedFile): void {
  startResponse(response, 200, headers)
  response.end(body)
}
