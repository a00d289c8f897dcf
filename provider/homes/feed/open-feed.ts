import type { Context } from 'hono'
import { PAGE_CHECKS_PARAMETER } from '../../../contract/wire/constants.ts'
import type { AppEnv, Env } from '../../env.ts'
import { KeyedRateLimiter } from '../../../contract/wire/rate-limiter.ts'
import { enforceRateLimit } from '../../platform/rate-limits/enforce-rate-limit.ts'
import { notFound, unauthorized } from '../../platform/api-error.ts'
import { homeStub } from '../members/home-stub.ts'
import type { AccountAccess } from '../members/account-access.ts'
import { verifyTicket, createTicket, type Ticket, SOCKET_TICKET_LIFETIME_MS } from '../../platform/tickets/tickets.ts'
import {
  requirePortalSocket,
  forwardVerifiedRequest,
  createSocketUrl,
} from '../../platform/sockets/websocket-upgrade.ts'

/** Rate limit of feed connections per account. Each page opens one connection when it loads. */
const feedRateLimiter = new KeyedRateLimiter({ burst: 100, perSecond: 1 })

/** Feed request that the Worker has verified. `sendsChecks`: true if the page requests checks of the bridges. */
export type VerifiedFeedRequest = Ticket<'feed'> & { readonly sendsChecks: boolean }

/**
 * Returns the URL of the account's feed. The feed opens at the first home that the account may see; homes that it owns
 * come first. The other homes forward messages to that home. Throws 404 if the account may see no home.
 */
export async function issueFeedUrl(env: Env, { userId, homes }: AccountAccess, now: number) {
  const [home, ...others] = homes
  if (!home) throw notFound()
  await Promise.all(others.map(({ home_id }) => homeStub(env, home_id).setFeedHome(userId, home.home_id)))
  const content = {
    jti: crypto.randomUUID(),
    user: userId,
    home: home.home_id,
    iat: now,
    exp: now + SOCKET_TICKET_LIFETIME_MS,
  }
  return { url: createSocketUrl(env.PROVIDER_ORIGIN, '/feed', await createTicket(env.TICKET_KEY, 'feed', content)) }
}

/**
 * Opens the feed. The Worker checks origin and ticket. The home checks that the ticket is unused and that the account
 * has access.
 */
export async function acceptFeedSocket(c: Context<AppEnv>): Promise<Response> {
  requirePortalSocket(c)
  const ticket = await verifyTicket(c.env.TICKET_KEY, 'feed', c.req.query('ticket') ?? '', Date.now())
  if (!ticket) throw unauthorized()
  enforceRateLimit(feedRateLimiter, ticket.user, Date.now())
  const sendsChecks = c.req.query(PAGE_CHECKS_PARAMETER) === '1'
  return forwardVerifiedRequest(homeStub(c.env, ticket.home), { ...ticket, sendsChecks } satisfies VerifiedFeedRequest)
}
