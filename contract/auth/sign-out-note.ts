import * as v from 'valibot'
import { text } from '../wire/envelope.ts'

/**
 * Details of a session's end for the activity log. A header of `userLogout` carries them as JSON, because that call has
 * no payload (CALL-02); without it the entry is a plain sign-out.
 */
export const SIGN_OUT_HEADER = 'sign-out-note'

export const signOutNote = v.object({
  /** Ended by its own browser; by another browser; by another browser together with all others. */
  kind: v.picklist(['sign-out', 'session-ended', 'sessions-ended']),
  /** Browser, system and network of the browser that ended it; '' if the edge did. */
  device: text(60),
  address: text(60),
  /** Browser and system of the ended session; for `sessions-ended`, of all of them. */
  ended: text(300),
  /** Ends with the same mark form one entry. */
  mark: v.optional(text(40)),
})
export type SignOutNote = v.InferOutput<typeof signOutNote>
