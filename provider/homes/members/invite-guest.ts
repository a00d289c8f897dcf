import { createUserId } from '../../accounts/account-rows.ts'
import {
  INVITATION_LIFETIME_MS,
  createInvitationToken,
  createInvitationUrl,
  storeInvitationLink,
  type InvitationSource,
} from '../../accounts/invitations/invitation-links.ts'
import { getInvitationDelivery } from '../../accounts/invitations/sign-up-policy.ts'
import { createQrPath } from '../../platform/qr-code.ts'
import { deriveInvitationToken } from '../../notifications/email-links.ts'
import { createMessageId, notifyAccount } from '../../notifications/notify-account.ts'
import { countAttempt, invitationLimit, signUpEmailLimit } from '../../platform/rate-limits/attempt-limits.ts'
import type { Env } from '../../env.ts'
import { findOwnerEmail, listCameraNames } from './notify-share.ts'

/** Link that the owner hands over to the invited person. */
export interface HandoverLink {
  readonly url: string
  readonly qr: { readonly size: number; readonly path: string }
  /** ms UTC */
  readonly expires_at: number
}

/**
 * Sends an invitation link for these cameras to an address without an account. Does nothing if the provider sends no such emails, or
 * above the hourly limit of the address or the daily limit of the owner. Logs a failure without failing the share.
 */
export async function emailInvitation(
  env: Env,
  { email, deviceIds }: { email: string; deviceIds: readonly string[] },
  source: InvitationSource,
  now: number,
): Promise<void> {
  if (getInvitationDelivery(env) !== 'email') return
  try {
    const limits = [signUpEmailLimit(email), invitationLimit(source.fromUser)]
    if ((await countAttempt(env, limits, now)).waitMs > 0) return
    const [owner, [camera = '', ...others]] = await Promise.all([
      findOwnerEmail(env, source.homeId, source.fromUser),
      listCameraNames(env, source.homeId, deviceIds),
    ])
    if (owner === null) return
    const [userId, messageId] = [createUserId(), createMessageId()]
    await storeInvitationLink(env.DB, { userId, email, source }, deriveInvitationToken(env, messageId), now)
    const facts = { camera, others, owner, until: now + INVITATION_LIFETIME_MS }
    await notifyAccount(env, { userId, kind: 'camera_invitation', key: source.deviceId, facts, at: now, messageId })
  } catch (error) {
    console.error(JSON.stringify({ at: 'messages', error: String(error) }))
  }
}

/**
 * Creates a link for the owner to hand over; null if the provider sends invitations by email, or if only the operator
 * creates accounts. Creates the link for every address, so that the link reveals no account.
 */
export async function createHandoverLink(
  env: Env,
  email: string,
  source: InvitationSource,
  now: number,
): Promise<HandoverLink | null> {
  if (getInvitationDelivery(env) !== 'link') return null
  const token = createInvitationToken()
  await storeInvitationLink(env.DB, { userId: createUserId(), email, source }, token, now)
  return toHandoverLink(createInvitationUrl(env, token), now)
}

/** Adds the QR code and the expiry to the URL of a new invitation. `now`: ms UTC. */
export const toHandoverLink = (url: string, now: number): HandoverLink => ({
  url,
  qr: createQrPath(url),
  expires_at: now + INVITATION_LIFETIME_MS,
})
