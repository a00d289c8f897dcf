import * as v from 'valibot'
import { text } from '../wire/envelope.ts'

/**
 * Header of `userLogout` that carries details for the activity log as JSON, because that call has no payload (CALL-02).
 * Without the header, the entry is a plain sign-out.
 */
export const SIGN_OUT_HEADER = 'sign-out-note'

export const signOutDetails = v.object({
  /**
   * `sign-out`: the session's own browser ended it. `session-ended`: another browser ended it. `sessions-ended`:
   * another browser ended all sessions except its own.
   */
  kind: v.picklist(['sign-out', 'session-ended', 'sessions-ended']),
  /** Browser, system and network of the browser that ended the session; '' if the edge ended it. */
  device: text(60),
  address: text(60),
  /** Browser and system of the ended session. `sessions-ended`: browsers and systems of all ended sessions. */
  ended: text(300),
  /** Session ends with the same mark share one entry in the activity log. */
  mark: v.optional(text(40)),
})
export type SignOutDetails = v.InferOutput<typeof signOutDetails>
