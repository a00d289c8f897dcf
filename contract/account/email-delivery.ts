import * as v from 'valibot'
import { id, text } from '../wire/envelope.ts'

/**
 * One bare address and nothing else: no name, no list, no comment, no line end. Whatever else a mail server would take for an
 * address is refused.
 */
export const bareAddress = v.pipe(
  v.string(),
  v.maxLength(254),
  v.regex(/^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+$/),
)

/** Text of a header: nothing in it ends the line. */
const header = (max: number) => v.pipe(text(max), v.regex(/^[^\u0000-\u001f\u007f\u2028\u2029]*$/))

/** A mail that waits, as it is handed to whoever sends it. */
export const mail = v.object({
  /** The same however often it is sent: its idempotency key, and what its `Message-ID` is made of. */
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

/** What became of it: `failed` is tried again, `refused` never. */
export const mailOutcome = v.object({
  message_id: id,
  outcome: v.picklist(['sent', 'failed', 'refused']),
  why: text(300),
})
export type MailOutcome = v.InferOutput<typeof mailOutcome>

/** Nobody else is given a mail so soon after somebody has been. */
export const LENT_MS = 120_000
/** Of the mails that are taken together, none is begun so long after. */
export const SENDING_MS = 30_000

/** POST `ADMIN_PATHS.mails`/take: mails whose time has come, a few at a time, each lent for `LENT_MS`. */
export const takenMails = v.object({ code: v.literal(200), data: v.object({ mails: v.array(mail) }) })
/** POST `ADMIN_PATHS.mails`/done */
export const doneMails = v.object({ outcomes: v.pipe(v.array(mailOutcome), v.minLength(1), v.maxLength(50)) })
