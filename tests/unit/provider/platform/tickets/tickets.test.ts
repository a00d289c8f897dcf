import { expect, test } from 'vitest'
import { openTicket, sealTicket } from '../../../../../provider/platform/tickets/tickets.ts'

const SECRET = 'secret of this test'
const NOW = Date.UTC(2026, 10, 22)
const content = { jti: 'session_1', user: 'user_a', iat: NOW, exp: NOW + 60_000 }
const seal = () => sealTicket(SECRET, 'card', content)
const open = (ticket: string, now = NOW) => openTicket(SECRET, 'card', ticket, now)

test('a ticket opens with the secret and purpose that it was sealed with, until it expires', async () => {
  const ticket = await seal()
  expect(await open(ticket)).toEqual(content)
  expect(await open(ticket, NOW + 60_000)).toBeNull()
  expect(await openTicket(SECRET, 'card_page', ticket, NOW)).toBeNull()
  expect(await openTicket('another secret', 'card', ticket, NOW)).toBeNull()
})

test.each(['.', '.x', '..', '.x.y', 'x', ' '])('a ticket with %j appended does not open', async (more) => {
  expect(await open((await seal()) + more)).toBeNull()
})
