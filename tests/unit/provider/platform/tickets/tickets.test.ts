import { expect, test } from 'vitest'
import { verifyTicket, createTicket } from '../../../../../provider/platform/tickets/tickets.ts'

const SECRET = 'secret of this test'
const NOW = Date.UTC(2026, 10, 22)
const content = { jti: 'session_1', user: 'user_a', iat: NOW, exp: NOW + 60_000 }
const sealCardTicket = () => createTicket(SECRET, 'card', content)
const openCardTicket = (ticket: string, now = NOW) => verifyTicket(SECRET, 'card', ticket, now)

test('a ticket opens with the secret and purpose that it was sealed with, until it expires', async () => {
  const ticket = await sealCardTicket()
  expect(await openCardTicket(ticket)).toEqual(content)
  expect(await openCardTicket(ticket, NOW + 60_000)).toBeNull()
  expect(await verifyTicket(SECRET, 'card_page', ticket, NOW)).toBeNull()
  expect(await verifyTicket('another secret', 'card', ticket, NOW)).toBeNull()
})

test.each(['.', '.x', '..', '.x.y', 'x', ' '])('a ticket with %j appended does not open', async (more) => {
  expect(await openCardTicket((await sealCardTicket()) + more)).toBeNull()
})
