import * as v from 'valibot'
import { id, text } from '../wire/envelope.ts'

/** Accepts one bare address: no name, list, comment or line ending. Rejects other forms that mail servers accept. */
export const bareAddress = v.pipe(
  v.string(),
  v.maxLength(254),
  v.regex(/^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+$/),
)

/** Header text without line breaks or control characters. */
const header = (max: number) => v.pipe(text(max), v.regex(/^[^\u0000-\u001f\u007f\u2028\u2029]*$/))

/** An email from the outbox, as a sender receives it. */
export const mail = v.object({
  /** Stable across delivery attempts: idempotency key and source of the `Message-ID`. */
  message_id: id,
  from: bareAddress,
  from_name: header(80),
  reply_to: bareAddress,
  to: bareAddress,
  subject: header(220),
  html: text(200_000),
  text: text(50_000),
  headers: v.array(v.object({ name: v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z-]{0,60}$/)), value: header(900) })),
})
export type Mail = v.InferOutput<typeof mail>

/** Delivery result: `failed` is retried, `refused` never is. */
export const mailOutcome = v.object({
  message_id: id,
  outcome: v.picklist(['sent', 'failed', 'refused']),
  why: text(300),
})
export type MailOutcome = v.InferOutput<typeof mailOutcome>

/** Lease on an email: no other sender gets it during this time. */
export const LENT_MS = 120_000
/** Time after taking a batch in which a sender may still start to send its emails, ms. */
export const SENDING_MS = 30_000

/** Response of `POST ADMIN_PATHS.mails/take`: a few emails that are due, each leased for `LENT_MS`. */
export const takenMails = v.object({ code: v.literal(200), data: v.object({ mails: v.array(mail) }) })
/** Request of `POST ADMIN_PATHS.mails/done`: results of delivery attempts. */
export const doneMails = v.object({ outcomes: v.pipe(v.array(mailOutcome), v.minLength(1), v.maxLength(50)) })
