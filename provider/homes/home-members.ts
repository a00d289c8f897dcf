import { NO_ACCESS, SIGNED_OUT } from '../../contract/wire/socket-close-codes.ts'
import type { FeedMessage } from '../../contract/events/feed.ts'
import { invalidateTicketsBefore, consumeTicket } from '../platform/tickets/ticket-rows.ts'
import type { Ticket } from '../platform/tickets/tickets.ts'
import { openSockets, refusedSocket, socketPair } from '../platform/sockets/websocket-upgrade.ts'
import type { HomeContext } from './feed/home-context.ts'

/** Pages of one account that are open at the same time. */
const FEEDS_MAX = 40

/** The part of a home that knows who belongs to it and who sees its cameras, and keeps their feeds. */
export class HomeMembers {
  private readonly home: HomeContext

  constructor(home: HomeContext) {
    this.home = home
  }

  putMember(userId: string, role: number): void {
    this.home.access.putMember(userId, role)
  }

  /** The account is neither a member nor sees a shared camera any more. */
  dropMember(userId: string): void {
    this.home.access.drop(userId)
  }

  /** The account is gone: so is what it said, took and opened here. */
  deleteAccountData(userId: string): void {
    this.home.access.drop(userId)
    for (const table of ['feedback', 'feedback_videos', 'exports', 'signed_out'])
      this.home.sql.exec(`DELETE FROM ${table} WHERE user_id = ?`, userId)
  }

  /** Lets an account see a camera; `feedHome` is where its feed is opened, when not here. */
  share(deviceId: string, userId: string, role: number, feedHome: string | null): void {
    this.home.access.share(deviceId, userId, role)
    this.home.access.setFeedHome(userId, feedHome)
    this.home.feed.sendToAccount(userId, { type: 'access' })
  }

  /** Ends a share, and the account's feed when it sees nothing else here. */
  unshare(deviceId: string, userId: string): void {
    const { access, feed } = this.home
    feed.sendToAccount(userId, { type: 'access' })
    access.unshare(deviceId, userId)
    if (access.visibleTo(userId) === null) feed.close(userId, NO_ACCESS, 'Nothing is shared any more.')
  }

  /** Ends every share of a camera. */
  unshareAll(deviceId: string): void {
    for (const userId of this.home.access.sharers(deviceId)) this.unshare(deviceId, userId)
  }

  /** The account's feed is opened at another home, which passes on what happens here. */
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

  /** Ends the account's feed and answers the cameras whose sockets must end too. */
  signOut(userId: string, at: number): string[] {
    invalidateTicketsBefore(this.home.sql, userId, at)
    this.home.feed.close(userId, SIGNED_OUT, 'Signed out.')
    return this.home.access.visibleTo(userId) ?? []
  }
}
