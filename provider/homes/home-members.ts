import { CLOSE_INTERNAL_ERROR, CLOSE_NO_ACCESS, CLOSE_SIGNED_OUT } from '../../contract/wire/socket-close-codes.ts'
import type { FeedMessage } from '../../contract/events/feed.ts'
import { invalidateTicketsBefore, consumeTicket } from '../platform/tickets/ticket-rows.ts'
import { listOpenSockets, rejectSocket, createSocketPair } from '../platform/sockets/websocket-upgrade.ts'
import type { HomeContext } from './feed/home-context.ts'
import type { VerifiedFeedRequest } from './feed/open-feed.ts'

const MAX_FEEDS_PER_ACCOUNT = 40

export class HomeMembers {
  readonly #home: HomeContext

  constructor(home: HomeContext) {
    this.#home = home
  }

  putMember(userId: string, role: number): void {
    this.#home.access.putMember(userId, role)
  }

  /** Deletes the access, feedback, exports and sign-out record of a deleted account from this home. */
  deleteAccountData(userId: string): void {
    this.#home.feed.close(userId, CLOSE_SIGNED_OUT, 'Logged out.')
    this.#home.access.removeAccount(userId)
    for (const table of ['feedback', 'feedback_videos', 'exports', 'signed_out'])
      this.#home.sql.exec(`DELETE FROM ${table} WHERE user_id = ?`, userId)
  }

  /**
   * Grants an account access to a camera. `feedHome`: home where the feed of the account is open; null for this home.
   */
  share(deviceId: string, userId: string, role: number, feedHome: string | null): void {
    this.#home.access.share(deviceId, userId, role)
    this.#home.access.setFeedHome(userId, feedHome)
    this.#home.feed.sendToAccount(userId, { type: 'access' })
  }

  /** Ends a share. Closes the feed of the account if it no longer sees any camera of this home. */
  unshare(deviceId: string, userId: string): void {
    const { access, feed } = this.#home
    feed.sendToAccount(userId, { type: 'access' })
    access.unshare(deviceId, userId)
    if (access.findVisibleCameras(userId) === null)
      feed.close(userId, CLOSE_NO_ACCESS, 'Nothing is shared with this account anymore.')
  }

  unshareAll(deviceId: string): void {
    for (const userId of this.#home.access.listShareRecipients(deviceId)) this.unshare(deviceId, userId)
  }

  /**
   * Stores the home at which the feed of the account is open, so that this home forwards messages there. Does nothing
   * if the account has no access to this home.
   */
  setFeedHome(userId: string, feedHome: string): Promise<void> {
    if (this.#home.access.findVisibleCameras(userId) === null) return Promise.resolve()
    this.#home.access.setFeedHome(userId, feedHome)
    return this.#home.bridgeChecks.startFrequentChecks()
  }

  /** Opens a feed socket with a ticket that the Worker has verified. */
  openFeed(ticket: VerifiedFeedRequest, now: number): Response {
    const { ctx, sql, access, feed, bridgeChecks } = this.#home
    if (access.findVisibleCameras(ticket.user) === null || !consumeTicket(sql, ticket, now))
      return rejectSocket(401, 'The ticket was already used or has expired.')
    if (listOpenSockets(ctx, ticket.user).length >= MAX_FEEDS_PER_ACCOUNT)
      return rejectSocket(429, `You have ${MAX_FEEDS_PER_ACCOUNT} tabs open. Close a tab, then try again.`)
    access.setFeedHome(ticket.user, null)
    const { server, answer } = createSocketPair()
    feed.accept(server, ticket.user, ticket.sendsChecks)
    server.send(JSON.stringify({ type: 'hello', now } satisfies FeedMessage))
    /* If the checks cannot start, close the feed, so that the page connects again. */
    const checks = ticket.sendsChecks ? bridgeChecks.checkForPage(server) : bridgeChecks.startFrequentChecks()
    ctx.waitUntil(checks.catch(() => server.close(CLOSE_INTERNAL_ERROR, 'The hubs of this home can’t be reached.')))
    return answer
  }

  /**
   * Closes the feed sockets of the account at this home, and invalidates its unused feed tickets that were created at
   * or before `at` (ms UTC). Returns the ids of the cameras whose sockets the caller must also close.
   */
  signOut(userId: string, at: number): string[] {
    invalidateTicketsBefore(this.#home.sql, userId, at)
    this.#home.feed.close(userId, CLOSE_SIGNED_OUT, 'Logged out.')
    return this.#home.access.findVisibleCameras(userId) ?? []
  }
}
