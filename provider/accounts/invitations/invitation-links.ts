import { randomBytes } from 'node:crypto'
import type { D1Database } from '@cloudflare/workers-types'
import { DAY_MS } from '../../../contract/time-units.ts'
import { canonicalizeEmail } from '../account-rows.ts'
import type { Env } from '../../env.ts'
import { SIGN_UP_PATH } from '../../notifications/email-links.ts'
import { hashToken } from '../../platform/crypto/token-hash.ts'

export const INVITATION_LIFETIME_MS = 7 * DAY_MS

/** Owner who shared a camera with the invited person. */
export interface InvitationSource {
  readonly fromUser: string
  readonly deviceId: string
  readonly homeId: string
}

export interface InvitationLink {
  /** Id of the future account. */
  readonly userId: string
  readonly email: string
  /** Null if the operator created the link. */
  readonly source: InvitationSource | null
}

export const createInvitationToken = (): string => randomBytes(16).toString('base64url')

export const createInvitationUrl = (env: Pick<Env, 'PROVIDER_ORIGIN'>, token: string): string =>
  `${env.PROVIDER_ORIGIN}${SIGN_UP_PATH}?invite=${token}`

/** Stores the link, and deletes expired links. `now`: ms UTC. */
export async function storeInvitationLink(
  db: D1Database,
  { userId, email, source }: InvitationLink,
  token: string,
  now: number,
): Promise<void> {
  const expired = "DELETE FROM messages WHERE kind = 'camera_invitation' AND until <= ?"
  await db.batch([
    db.prepare(expired).bind(now),
    db.prepare('DELETE FROM invitation_links WHERE until <= ?').bind(now),
    db
      .prepare(
        `INSERT INTO invitation_links (user_id, email, link_hash, from_user, device_id, home_id, until)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      )
      .bind(
        userId,
        canonicalizeEmail(email),
        hashToken(token),
        source?.fromUser ?? null,
        source?.deviceId ?? null,
        source?.homeId ?? null,
        now + INVITATION_LIFETIME_MS,
      ),
  ])
}

interface InvitationRow {
  readonly userId: string
  readonly email: string
  readonly fromUser: string | null
  readonly deviceId: string | null
  readonly homeId: string | null
}

/** Returns the invitation of a link; null if the link is unknown or has expired. `now`: ms UTC. */
export async function findInvitationLink(db: D1Database, token: string, now: number): Promise<InvitationLink | null> {
  const row = await db
    .prepare(
      `SELECT user_id AS userId, email, from_user AS fromUser, device_id AS deviceId, home_id AS homeId
       FROM invitation_links WHERE link_hash = ? AND until > ?`,
    )
    .bind(hashToken(token), now)
    .first<InvitationRow>()
  if (row === null) return null
  const { userId, email, fromUser, deviceId, homeId } = row
  const isFromOwner = fromUser !== null && deviceId !== null && homeId !== null
  return { userId, email, source: isFromOwner ? { fromUser, deviceId, homeId } : null }
}

/**
 * Returns true if a camera was shared with this address, or if the operator invited it. `email`: as
 * `canonicalizeEmail` returns it. `now`: ms UTC.
 */
export async function isInvited(db: D1Database, email: string, now: number): Promise<boolean> {
  const row = await db
    .prepare(
      `SELECT 1 FROM invitations WHERE email = ?1
       UNION ALL SELECT 1 FROM invitation_links WHERE email = ?1 AND until > ?2 LIMIT 1`,
    )
    .bind(email, now)
    .first()
  return row !== null
}

/** Deletes the emails of an invitation whose account exists now. */
export async function deleteInvitationEmails(db: D1Database, userId: string): Promise<void> {
  await db.prepare("DELETE FROM messages WHERE kind = 'camera_invitation' AND user_id = ?").bind(userId).run()
}

/**
 * SQL that keeps the links of camera `?1` whose person is invited to another camera of the same home: makes that camera
 * the camera of the link. Requires that the invitations to camera `?1` are deleted.
 */
export const MOVE_INVITATION_LINKS_SQL = `UPDATE invitation_links SET device_id = invitations.device_id FROM invitations
  WHERE invitation_links.device_id = ?1 AND invitations.email = invitation_links.email
  AND invitations.home_id = invitation_links.home_id`

/** Returns the cameras of this home to which the owner of an address is invited. */
export async function listInvitedCameras(db: D1Database, homeId: string, email: string): Promise<string[]> {
  const { results } = await db
    .prepare('SELECT device_id FROM invitations WHERE home_id = ? AND email = ? ORDER BY created_at, device_id')
    .bind(homeId, canonicalizeEmail(email))
    .all<{ device_id: string }>()
  return results.map(({ device_id }) => device_id)
}

/** Deletes the links with which this camera was shared with this address, unless another camera is still shared. */
export async function deleteInvitationLinks(db: D1Database, deviceId: string, email: string): Promise<void> {
  const condition = 'device_id = ? AND email = ?'
  const messages = `DELETE FROM messages WHERE kind = 'camera_invitation'
    AND user_id IN (SELECT user_id FROM invitation_links WHERE ${condition})`
  await db.batch([
    db.prepare(`${MOVE_INVITATION_LINKS_SQL} AND invitation_links.email = ?2`).bind(deviceId, email),
    db.prepare(messages).bind(deviceId, email),
    db.prepare(`DELETE FROM invitation_links WHERE ${condition}`).bind(deviceId, email),
  ])
}
