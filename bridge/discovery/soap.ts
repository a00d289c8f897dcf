import { createHash, randomBytes } from 'node:crypto'

const PATIENCE_MS = 4000

export interface User {
  readonly name: string
  readonly password: string
}

export interface Call {
  readonly url: string
  /** Namespace and content of the body. */
  readonly namespace: string
  readonly body: string
  readonly user?: User | undefined
  /** The camera's own time: it refuses signatures of another. */
  readonly now?: Date | undefined
}

/** The camera refuses this call without a user, or with this one. */
export class Refused extends Error {}

/** Asks a camera by SOAP 1.2. Throws Refused, or an Error when nothing that can be read comes. */
export async function soap({ url, namespace, body, user, now = new Date() }: Call): Promise<string> {
  const header = user ? `<s:Header>${security(user, now)}</s:Header>` : ''
  const envelope = `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope">${header}<s:Body xmlns="${namespace}">${body}</s:Body></s:Envelope>`
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/soap+xml; charset=utf-8' },
    body: envelope,
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  const answer = await response.text()
  if (response.status === 401 || /NotAuthorized|FailedAuthentication/i.test(answer)) throw new Refused('not authorized')
  if (!response.ok) throw new Error(`the camera answers ${response.status}`)
  return answer
}

/** The password itself is never sent (WS-Security UsernameToken Profile 1.0, digest). */
function security({ name, password }: User, now: Date): string {
  const nonce = randomBytes(16)
  const created = now.toISOString()
  const digest = createHash('sha1').update(nonce).update(created).update(password).digest('base64')
  const wss = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss'
  return [
    `<Security xmlns="${wss}-wssecurity-secext-1.0.xsd"><UsernameToken><Username>${escaped(name)}</Username>`,
    `<Password Type="${wss}-username-token-profile-1.0#PasswordDigest">${digest}</Password>`,
    `<Nonce EncodingType="${wss}-soap-message-security-1.0#Base64Binary">${nonce.toString('base64')}</Nonce>`,
    `<Created xmlns="${wss}-wssecurity-utility-1.0.xsd">${created}</Created></UsernameToken></Security>`,
  ].join('')
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** What stands in the elements of this name, whatever their prefix. */
export function elements(xml: string, name: string): string[] {
  const pattern = new RegExp(`<(?:[\\w.-]+:)?${name}(?:\\s[^>]*)?>([\\s\\S]*?)</(?:[\\w.-]+:)?${name}>`, 'g')
  return [...xml.matchAll(pattern)].map(([, content = '']) => content)
}

/** The text of the first element of this name. */
export function textOf(xml: string, name: string): string | undefined {
  return elements(xml, name)[0]
    ?.trim()
    .replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => ENTITIES[entity] ?? '')
}
