import * as v from 'valibot'
import { deviceId, id, ms, text } from '../../../contract/wire/envelope.ts'
import { signHmacHex, hmacMatches, textKey } from '../crypto/hmac.ts'
import { sealedQuote } from './quote-ticket.ts'

export const SOCKET_TICKET_MS = 60_000
export const UPLOAD_GRANT_MS = 600_000

const socket = { jti: id, user: id, iat: ms, exp: ms }
const KINDS = {
  /** Single-use ticket that opens the feed of one home. */
  feed: v.object({ ...socket, home: id }),
  /** Single-use ticket that opens the signaling channel of one camera. */
  viewer: v.object({ ...socket, device: deviceId, viewer: id, renditions: v.optional(v.array(text(12)), []) }),
  /** Single-use ticket that opens the card page; its `jti` names the card session. */
  card: v.object(socket),
  /** Cookie of the browser that has opened the card page. */
  card_page: v.object(socket),
  /** Upload grant: permits a PUT of one object of this length and type. */
  upload: v.object({ object: text(300), type: text(40), length: v.number(), exp: ms }),
  /** Quote: price that the checkout displayed and that the purchase must charge. */
  quote: sealedQuote,
} as const
type Kind = keyof typeof KINDS
export type Ticket<K extends Kind> = v.InferOutput<(typeof KINDS)[K]>

/** Creates a ticket for a URL or cookie: its content in base64url, a dot, and the HMAC of kind and content. */
export async function sealTicket<K extends Kind>(secret: string, kind: K, content: Ticket<K>): Promise<string> {
  const body = btoa(JSON.stringify(content)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return `${body}.${await signHmacHex(await textKey(secret), `${kind}\n${body}`)}`
}

/** Returns the content of a ticket of this kind, or null if it is forged, altered or expired at `now`. */
export async function openTicket<K extends Kind>(
  secret: string,
  kind: K,
  ticket: string,
  now: number,
): Promise<Ticket<K> | null> {
  const [body, signature, ...rest] = ticket.split('.')
  if (!body || !signature || rest.length > 0) return null
  if (!(await hmacMatches(await textKey(secret), `${kind}\n${body}`, signature))) return null
  const content = v.parse(KINDS[kind], JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/')))) as Ticket<K>
  return content.exp > now ? content : null
}
