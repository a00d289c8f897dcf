import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dropMethods } from '../../../../../provider/billing/ledger/payment-methods.ts'
import { outgoing } from '../../../../../provider/billing/ledger/outbox.ts'
import { OutboxDispatcher } from '../../../../../provider/billing/ledger/outbox-dispatcher.ts'
import type { Statement } from '../../../../../provider/billing/ledger/projection.ts'
import { GatewayDown } from '../../../../../provider/billing/payment/gateway-interface.ts'
import { openBook, type TestBook } from '../../../../support/book.ts'
import { buy, NOW, listSubscriptions, quoted, T1 } from '../../../../support/buying.ts'
import { HOUR_MS, SECOND_MS } from '../../../../../contract/time-units.ts'

beforeEach(() => vi.useFakeTimers({ now: NOW, toFake: ['Date'] }))
afterEach(() => vi.useRealTimers())

/** Opens an outbox dispatcher for the ledger. `fail`: number of times that each consumer fails before it succeeds. */
function openPost(town: TestBook) {
  const alarm = { at: null as number | null }
  const delivered = { writes: [] as (readonly Statement[])[], homes: 0 }
  const fail = { write: 0, homes: 0 }
  const readers = {
    write: async (statements: readonly Statement[]) => {
      if (statements.length > 0) delivered.writes.push(statements)
      if ((fail.write -= 1) >= 0) await Promise.reject(new Error('D1 is away.'))
    },
    notify: () => Promise.resolve(),
    notifyHomes: async () => {
      delivered.homes += 1
      if ((fail.homes -= 1) >= 0) await Promise.reject(new Error('A home is away.'))
    },
  }
  const post = new OutboxDispatcher(town.ctx, readers, {
    getAlarm: () => Promise.resolve(alarm.at),
    deleteAlarm: () => Promise.resolve(void (alarm.at = null)),
    setAlarm: (at) => Promise.resolve(void (alarm.at = Number(at))),
  })
  /**
   * Runs the dispatcher once, as the ledger does at the end of each call and alarm. Returns the delay of the next alarm
   * in ms, or null.
   */
  const runDispatcher = async (): Promise<number | null> => {
    await post.send()
    await post.wake()
    return alarm.at && alarm.at - Date.now()
  }
  return { look: runDispatcher, post, fail, told: delivered, alarm }
}

/** Plan whose renewal charge is still pending at the bank. */
async function renewing() {
  const town = openBook({ now: NOW })
  await buy(town, T1(), NOW)
  const end = listSubscriptions(town)[0]?.until ?? 0
  vi.setSystemTime(end)
  town.gateway.faults = Array<'pending'>(40).fill('pending')
  await town.till.due(end)
  return { town, end }
}

describe('alarm', () => {
  test('is scheduled with the next charge check during a renewal, with backoff up to one hour', async () => {
    const { town } = await renewing()
    const { look } = openPost(town)
    const waits: number[] = []
    for (let n = 0; n < 13; n += 1) {
      const wait = (await look()) ?? 0
      waits.push(wait / SECOND_MS)
      vi.setSystemTime(Date.now() + wait)
      await town.till.due(Date.now())
    }
    expect(waits).toEqual([5, 5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600])
  })

  test('is not delayed by status requests in between', async () => {
    const { town, end } = await renewing()
    const { look } = openPost(town)
    const [charge] = town.book.all('charge').filter(({ job }) => job.kind === 'renewal')
    for (let second = 1; second <= 20; second += 1)
      await town.till.task(charge?.charge_id ?? '', end + second * SECOND_MS)
    vi.setSystemTime(end + 20 * SECOND_MS)
    expect(await look()).toBe(20 * SECOND_MS)
  })

  test('is set for an entry that is booked after its caller stopped waiting', async () => {
    const town = openBook({ now: NOW })
    const { ask } = await quoted(town, T1(), NOW)
    const { post, look, alarm } = openPost(town)
    town.restart(() => post.wake())
    const answer = Promise.withResolvers<void>()
    const capture = town.gateway.capture.bind(town.gateway)
    town.gateway.capture = async (...args) => {
      await answer.promise
      return await capture(...args)
    }
    const purchase = await town.till.purchase(ask, NOW)
    expect(purchase).toMatchObject({ state: 'pending' })
    await look()
    alarm.at = NOW + HOUR_MS
    answer.resolve()
    await town.till.task(purchase.state === 'pending' ? purchase.process_id : '', NOW)
    expect([listSubscriptions(town), alarm.at]).toMatchObject([[{ status: 'active' }], NOW + 2 * SECOND_MS])
  })
})

describe('failed delivery', () => {
  test('to open pages is retried with backoff, and then nothing is left to do', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(), NOW)
    const { look, fail, told: delivered } = openPost(town)
    fail.homes = 3
    expect([await look(), await look(), await look()]).toEqual([2, 4, 8].map((seconds) => seconds * SECOND_MS))
    expect(await look()).toBe((listSubscriptions(town)[0]?.until ?? 0) - NOW)
    expect([delivered.homes, outgoing(town.book)]).toEqual([4, []])
    await look()
    expect(delivered.homes).toBe(4)
  })

  test('to D1 is written again with the same numbers', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(), NOW)
    const { look, fail, told: delivered } = openPost(town)
    fail.write = 1
    await look()
    await look()
    expect(delivered.writes).toHaveLength(2)
    expect(delivered.writes[1]).toEqual(delivered.writes[0])
    expect([delivered.homes, outgoing(town.book)]).toEqual([1, []])
  })

  test('to the gateway blocks no other delivery, not even for another payment method', async () => {
    const town = openBook({ now: NOW })
    const { book, ctx, gateway } = town
    await buy(town, T1(), NOW)
    const [card] = book.all('method')
    book.transaction(() => {
      if (card) book.put(0, 'method', 'a_first', { ...card, method_id: 'a_first', token: 'stuck' })
      dropMethods(ctx.book, NOW)
    })
    const forget = gateway.deleteMethod.bind(gateway)
    gateway.deleteMethod = async (account, token) => {
      if (token === 'stuck') throw new GatewayDown()
      await forget(account, token)
    }
    const { look, told: delivered } = openPost(town)
    expect(await look()).toBe(2 * SECOND_MS)
    expect([delivered.homes, gateway.forgotten]).toEqual([1, ['token_1']])
    expect(outgoing(book)).toMatchObject([{ kind: 'forget', token: 'stuck' }])
    await look()
    expect([delivered.homes, gateway.forgotten]).toEqual([1, ['token_1']])
  })
})
