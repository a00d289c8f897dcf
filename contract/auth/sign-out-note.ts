import * as v from 'valibot'
import { text } from '../wire/envelope.ts'

/**
 * Details of a session's end for the activity log. A header of `userLogout` carries them as JSON, because that call has
 * no payload (CALL-02); without it the entry is a plain sign-out.
 */
export const SIGN_OUT_HEADER = 'sign-out-note'

export const signOutNote = v.object({
  /**
   * `sign-out`: the session's own browser ended it. `session-ended`: another browser ended it. `sessions-ended`:
   * another browser ended all sessions except its own.
   */
  kind: v.picklist(['sign-out', 'session-ended', 'sessions-ended']),
  /** Browser, system and network of the browser that ended the session; '' if the edge ended it. */
  device: text(60),
  address: text(60),
  /** Browser and system of the ended session; for `sessions-ended`, of all of them. */
  ended: text(300),
  /** Session ends that have the same mark are shown as one entry. */
  mark: v.optional(text(40)),
})
export type SignOutNote = v.InferOutput<typeof signOutNote>
