import * as v from 'valibot'
import { deviceId, id, timestampMs, text } from '../../../contract/wire/envelope.ts'
import { signHmacHex, verifyHmacHex, importTextKey } from '../crypto/hmac.ts'
import { quoteContentSchema } from './quote-ticket.ts'

export const SOCKET_TICKET_LIFETIME_MS = 60_000
export const UPLOAD_GRANT_LIFETIME_MS = 600_000

const socketTicketFields = { jti: id, user: id, iat: timestampMs, exp: timestampMs }
const TICKET_SCHEMAS = {
  /** Single-use ticket that opens the feed of one home. */
  feed: v.object({ ...socketTicketFields, home: id }),
  /** Single-use ticket that opens the signaling channel of one camera. */
  viewer: v.object({
    ...socketTicketFields,
    device: deviceId,
    viewer: id,
    renditions: v.optional(v.array(text(12)), []),
  }),
  /** Single-use ticket that opens the card page. `jti`: id of the card session. */
  card: v.object(socketTicketFields),
  /** Cookie that authorizes the browser that opened the card page. */
  card_page: v.object(socketTicketFields),
  /** Upload grant: permits one PUT of an object with this length and type. */
  upload: v.object({ object: text(300), type: text(40), length: v.number(), exp: timestampMs }),
  /** Quote: price that the checkout displays and that the purchase must charge. */
  quote: quoteContentSchema,
} as const
type TicketKind = keyof typeof TICKET_SCHEMAS
export type Ticket<K extends TicketKind> = v.InferOutput<(typeof TICKET_SCHEMAS)[K]>

/** Creates a ticket: the content as JSON in base64url, a dot, and the HMAC of kind and content in hex. */
export async function createTicket<K extends TicketKind>(secret: string, kind: K, content: Ticket<K>): Promise<string> {
  const body = btoa(JSON.stringify(content)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return `${body}.${await signHmacHex(await importTextKey(secret), `${kind}\n${body}`)}`
}

/**
 * Verifies a ticket of this kind and returns its content. Returns null if the ticket is forged, changed or expired at
 * `now` (ms UTC).
 */
export async function verifyTicket<K extends TicketKind>(
  secret: string,
  kind: K,
  ticket: string,
  now: number,
): Promise<Ticket<K> | null> {
  const [body, signature, ...rest] = ticket.split('.')
  if (!body || !signature || rest.length > 0) return null
  if (!(await verifyHmacHex(await importTextKey(secret), `${kind}\n${body}`, signature))) return null
  const content = v.parse(
    TICKET_SCHEMAS[kind],
    JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/'))),
  ) as Ticket<K>
  return content.exp > now ? content : null
}
