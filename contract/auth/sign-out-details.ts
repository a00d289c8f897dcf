import * as v from 'valibot'
import { text } from '../wire/envelope.ts'

/**
 * Header of `userLogout` that carries details for the activity log as JSON, because that call has no payload (CALL-02).
 * Without the header, the entry is a plain sign-out.
 */
export const SIGN_OUT_HEADER = 'sign-out-note'

export const signOutDetails = v.object({
  /**
   * `sign-out`: the session's own browser ended the session. `session-ended`: another browser or the edge ended the
   * session. `sessions-ended`: another browser ended all sessions except its own.
   */
  kind: v.picklist(['sign-out', 'session-ended', 'sessions-ended']),
  /**
   * `device`: browser and system that ended the session; `address`: network of that browser. Both are '' if the edge
   * ended the session.
   */
  device: text(60),
  address: text(60),
  /**
   * `session-ended`: browser and system of the ended session. `sessions-ended`: browsers and systems of the ended
   * sessions, without duplicates, separated by commas.
   */
  ended: text(300),
  /** Ended sessions with the same mark share one entry in the activity log. */
  mark: v.optional(text(40)),
})
export type SignOutDetails = v.InferOutput<typeof signOutDetails>
