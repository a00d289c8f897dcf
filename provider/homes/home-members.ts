import { NO_ACCESS, SIGNED_OUT } from '../../contract/wire/socket-close-codes.ts'
import type { FeedMessage } from '../../contract/events/feed.ts'
import { invalidateTicketsBefore, consumeTicket } from '../platform/tickets/ticket-rows.ts'
import type { Ticket } from '../platform/tickets/tickets.ts'
import { openSockets, refusedSocket, socketPair } from '../platform/sockets/websocket-upgrade.ts'
import type { HomeContext } from './feed/home-context.ts'

/** Maximum open pages per account. */
const FEEDS_MAX = 40

export class HomeMembers {
  private readonly home: HomeContext

  constructor(home: HomeContext) {
    this.home = home
  }

  putMember(userId: string, role: number): void {
    this.home.access.putMember(userId, role)
  }

  /** Removes an account that is neither a member nor sees a shared camera any longer. */
  dropMember(userId: string): void {
    this.home.access.drop(userId)
  }

  /** Deletes the access, feedback, exports and sign-out record of a deleted account. */
  deleteAccountData(userId: string): void {
    this.home.access.drop(userId)
    for (const table of ['feedback', 'feedback_videos', 'exports', 'signed_out'])
      this.home.sql.exec(`DELETE FROM ${table} WHERE user_id = ?`, userId)
  }

  /** Grants an account access to a camera; `feedHome`: home of its feed, null if it is this one. */
  share(deviceId: string, userId: string, role: number, feedHome: string | null): void {
    this.home.access.share(deviceId, userId, role)
    this.home.access.setFeedHome(userId, feedHome)
    this.home.feed.sendToAccount(userId, { type: 'access' })
  }

  /** Ends a share. Closes the account's feed if the account no longer sees any camera of this home. */
  unshare(deviceId: string, userId: string): void {
    const { access, feed } = this.home
    feed.sendToAccount(userId, { type: 'access' })
    access.unshare(deviceId, userId)
    if (access.visibleTo(userId) === null) feed.close(userId, NO_ACCESS, 'Nothing is shared any more.')
  }

  unshareAll(deviceId: string): void {
    for (const userId of this.home.access.sharers(deviceId)) this.unshare(deviceId, userId)
  }

  /** Sets another home for the account's feed; this home forwards messages there. */
  setFeedHome(userId: string, feedHome: string): void {
    if (this.home.access.visibleTo(userId) !== null) this.home.access.setFeedHome(userId, feedHome)
  }

  /** Opens a feed socket with a ticket that the Worker has verified. */
  open(ticket: Ticket<'feed'>, now: number): Response {
    const { ctx, sql, access } = this.home
    if (access.visibleTo(ticket.user) === null || !consumeTicket(sql, ticket, now))
      return refusedSocket(401, 'The ticket was used or is over.')
    if (openSockets(ctx, ticket.user).length >= FEEDS_MAX)
      return refusedSocket(429, `${FEEDS_MAX} pages of this account are open. Close one of them.`)
    access.setFeedHome(ticket.user, null)
    const { server, answer } = socketPair()
    ctx.acceptWebSocket(server, [ticket.user])
    server.send(JSON.stringify({ type: 'hello', now } satisfies FeedMessage))
    return answer
  }

  /** Closes the account's feed and returns the cameras whose sockets must close too. */
  signOut(userId: string, at: number): string[] {
    invalidateTicketsBefore(this.home.sql, userId, at)
    this.home.feed.close(userId, SIGNED_OUT, 'Signed out.')
    return this.home.access.visibleTo(userId) ?? []
  }
}
