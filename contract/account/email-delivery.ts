import * as v from 'valibot'
import { id, text } from '../wire/envelope.ts'

/**
 * One email address without a display name. Rejects address lists, comments and line breaks, although mail servers
 * accept some of these forms.
 */
export const emailAddress = v.pipe(
  v.string(),
  v.maxLength(254),
  v.regex(/^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+$/),
)

/** Header text without line breaks or control characters. */
const emailHeader = (max: number) => v.pipe(text(max), v.regex(/^[^\u0000-\u001f\u007f\u2028\u2029]*$/))

/** Email from the outbox, in the form that the sending program receives. */
export const leasedEmail = v.object({
  /** Stable across delivery attempts: idempotency key and source of the `Message-ID`. */
  message_id: id,
  from: emailAddress,
  from_name: emailHeader(80),
  reply_to: emailAddress,
  to: emailAddress,
  subject: emailHeader(220),
  html: text(200_000),
  text: text(50_000),
  headers: v.array(
    v.object({ name: v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z-]{0,60}$/)), value: emailHeader(900) }),
  ),
})
export type LeasedEmail = v.InferOutput<typeof leasedEmail>

/** Result of a delivery attempt. `failed` is retried; `refused` is final. */
export const emailOutcome = v.object({
  message_id: id,
  outcome: v.picklist(['sent', 'failed', 'refused']),
  why: text(300),
})
export type EmailOutcome = v.InferOutput<typeof emailOutcome>

/** Duration of the lease on an email, ms. Meanwhile, no other sending program gets this email. */
export const EMAIL_LEASE_MS = 120_000
/**
 * Time since the lease of a batch began, ms. After this time, the sending program starts no further email of the batch.
 */
export const EMAIL_SEND_START_MS = 30_000

/** Response of `POST ADMIN_PATHS.mails/take`: the next batch of due emails, each leased for `EMAIL_LEASE_MS`. */
export const leasedEmailsResponse = v.object({ code: v.literal(200), data: v.object({ mails: v.array(leasedEmail) }) })
/** Request of `POST ADMIN_PATHS.mails/done`: results of delivery attempts. */
export const emailOutcomesRequest = v.object({
  outcomes: v.pipe(v.array(emailOutcome), v.minLength(1), v.maxLength(50)),
})
