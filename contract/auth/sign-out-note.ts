import * as v from 'valibot'
import { text } from '../wire/envelope.ts'

/**
 * What the log of the account says of a session's end. It goes along with `userLogout` as JSON in a header, because that
 * call has no payload (CALL-02); without it the end is a plain sign-out.
 */
export const SIGN_OUT_HEADER = 'sign-out-note'

export const signOutNote = v.object({
  /** Ended by its own browser; from another one; with all others, from another one. */
  kind: v.picklist(['sign-out', 'session-ended', 'sessions-ended']),
  /** Browser, system and network of who ended it, '' where the edge did by itself. */
  device: text(60),
  address: text(60),
  /** Browser and system of what ended; of `sessions-ended` those of all. */
  ended: text(300),
  /** Ends with the same mark are one entry. */
  mark: v.optional(text(40)),
})
export type SignOutNote = v.InferOutput<typeof signOutNote>
