import type { SqlStorage } from '@cloudflare/workers-types'

export class HomeCameraAccess {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  putMember(userId: string, role: number): void {
    this.#sql.exec(
      'INSERT INTO members (user_id, role) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET role = ?2',
      userId,
      role,
    )
  }

  removeAccount(userId: string): void {
    for (const table of ['members', 'shares', 'followers']) {
      this.#sql.exec(`DELETE FROM ${table} WHERE user_id = ?`, userId)
    }
  }

  share(deviceId: string, userId: string, role: number): void {
    this.#sql.exec(
      'INSERT INTO shares (device_id, user_id, role) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET role = ?3',
      deviceId,
      userId,
      role,
    )
  }

  unshare(deviceId: string, userId: string): void {
    this.#sql.exec('DELETE FROM shares WHERE device_id = ? AND user_id = ?', deviceId, userId)
    if (this.findVisibleCameras(userId) === null) this.removeAccount(userId)
  }

  listShareRecipients(deviceId: string): string[] {
    const rows = this.#sql.exec<{ user_id: string }>('SELECT user_id FROM shares WHERE device_id = ?', deviceId)
    return rows.toArray().map(({ user_id }) => user_id)
  }

  findRole(userId: string): number | null {
    const rows = this.#sql.exec<{ role: number }>('SELECT role FROM members WHERE user_id = ?', userId)
    return rows.toArray()[0]?.role ?? null
  }

  /**
   * Returns the account's role for a camera: the role in the home for an owner or a member, the role of the share for a
   * guest, or null if the account has no access.
   */
  findCameraRole(userId: string, deviceId: string): number | null {
    const role = this.findRole(userId)
    if (role !== null) return role
    const rows = this.#sql.exec<{ role: number }>(
      'SELECT role FROM shares WHERE user_id = ? AND device_id = ?',
      userId,
      deviceId,
    )
    return rows.toArray()[0]?.role ?? null
  }

  /** Returns the cameras that the account may see; null if the account is not a member and sees no camera. */
  findVisibleCameras(userId: string): string[] | null {
    if (this.findRole(userId) !== null) return this.#listAllCameras()
    const rows = this.#sql.exec<{ device_id: string }>(
      `SELECT device_id FROM shares JOIN devices USING (device_id) WHERE user_id = ? AND removed_at IS NULL`,
      userId,
    )
    const shared = rows.toArray().map(({ device_id }) => device_id)
    return shared.length > 0 ? shared : null
  }

  #listAllCameras(): string[] {
    const rows = this.#sql.exec<{ device_id: string }>('SELECT device_id FROM devices WHERE removed_at IS NULL')
    return rows.toArray().map(({ device_id }) => device_id)
  }

  /** Stores the home to which messages for the account are forwarded; null if its feed is open at this home. */
  setFeedHome(userId: string, homeId: string | null): void {
    if (homeId === null) this.#sql.exec('DELETE FROM followers WHERE user_id = ?', userId)
    else
      this.#sql.exec(
        'INSERT INTO followers (user_id, home_id) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET home_id = ?2',
        userId,
        homeId,
      )
  }

  listFeedHomes(): { user_id: string; home_id: string }[] {
    return this.#sql.exec<{ user_id: string; home_id: string }>('SELECT user_id, home_id FROM followers').toArray()
  }
}
