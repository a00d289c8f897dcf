import { createHash, randomBytes } from 'node:crypto'
import { readText } from '../../contract/wire/body-limits.ts'
import { READ_BYTES_MAX } from '../limits.ts'
import { escapeXml } from './xml.ts'

const CALL_TIMEOUT_MS = 4000

export interface CameraUser {
  readonly name: string
  readonly password: string
}

export interface SoapRequest {
  readonly url: string
  readonly namespace: string
  readonly body: string
  /** SOAP security header (WS-Security), or '' for none. */
  readonly securityHeader?: string | undefined
  /** HTTP Authorization header. */
  readonly authorization?: string | undefined
  /** Aborts this call when the time limit for all calls to the camera has passed. */
  readonly signal?: AbortSignal | undefined
}

/** Thrown when the camera rejects the user, or rejects a call because it names no user. */
export class SoapAuthError extends Error {
  /** WWW-Authenticate headers of the response, joined by commas; '' if there are none. */
  readonly challenge: string

  constructor(message: string, challenge = '') {
    super(message)
    this.challenge = challenge
  }
}

/**
 * Calls a camera by SOAP 1.2. Returns the first 64 KB of the response. Throws SoapAuthError if the camera does not
 * authorize the call, and a different Error after any other failure.
 */
export async function callSoap({
  url,
  namespace,
  body,
  securityHeader = '',
  authorization,
  signal,
}: SoapRequest): Promise<string> {
  const header = securityHeader && `<s:Header>${securityHeader}</s:Header>`
  const envelope = `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope">${header}<s:Body xmlns="${namespace}">${body}</s:Body></s:Envelope>`
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/soap+xml; charset=utf-8',
      ...(authorization !== undefined && { Authorization: authorization }),
    },
    body: envelope,
    redirect: 'error',
    signal: AbortSignal.any([AbortSignal.timeout(CALL_TIMEOUT_MS), ...(signal ? [signal] : [])]),
  })
  const responseText = await readLimitedText(response)
  if (response.status === 401 || /NotAuthorized|FailedAuthentication/i.test(responseText))
    throw new SoapAuthError('not authorized', response.headers.get('WWW-Authenticate') ?? '')
  if (!response.ok) throw new Error(`the camera answers ${response.status}`)
  return responseText
}

/**
 * Reads the first 64 KB and cancels the rest of the response. A recorder lists all its channels, but the bridge needs
 * only the first ones.
 */
function readLimitedText({ body }: Response): Promise<string> {
  let bytesLeft = READ_BYTES_MAX.soap
  const truncate = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, bytesLeft))
      bytesLeft -= chunk.length
      if (bytesLeft <= 0) controller.terminate()
    },
  })
  return readText({ headers: new Headers(), body: body?.pipeThrough(truncate) ?? null }, READ_BYTES_MAX.soap)
}

/**
 * Builds the security header. A camera rejects the header if `now` differs from its own time. The header never contains the password itself (WS-Security UsernameToken Profile 1.0, digest).
 */
export function createSecurityHeader({ name, password }: CameraUser, now: Date): string {
  const nonce = randomBytes(16)
  const created = now.toISOString()
  const digest = createHash('sha1').update(nonce).update(created).update(password).digest('base64')
  const wss = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss'
  return [
    `<Security xmlns="${wss}-wssecurity-secext-1.0.xsd"><UsernameToken><Username>${escapeXml(name)}</Username>`,
    `<Password Type="${wss}-username-token-profile-1.0#PasswordDigest">${digest}</Password>`,
    `<Nonce EncodingType="${wss}-soap-message-security-1.0#Base64Binary">${nonce.toString('base64')}</Nonce>`,
    `<Created xmlns="${wss}-wssecurity-utility-1.0.xsd">${created}</Created></UsernameToken></Security>`,
  ].join('')
}
