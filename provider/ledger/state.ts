import type { BookState } from './answers.ts'
import type { Book } from './book.ts'
import { openCharges } from './charges.ts'
import { givesUntil, isLive } from './subscriptions.ts'
import { hadTrial } from './wanted.ts'

/** What rules about coupons and the free days ask of a book. */
export function stateOf(book: Book, now: number): BookState {
  const subscriptions = book.all('subscription').map((one) => {
    const { subscription_id, revision, sku, channel, status, quantity, period, since } = one
    const [renews_at, isRunning] = [givesUntil(one), isLive(one, now)]
    return { subscription_id, revision, sku, channel, status, quantity, period, since, renews_at, isRunning }
  })
  return {
    subscriptions,
    balance: book.balance(),
    redeemed: book.all('redemption').map(({ code }) => code),
    reserved: openCharges(book).flatMap(({ job }) => (job.kind === 'purchase' && job.sealed.discount?.code) || []),
    hadTrial: hadTrial(book),
    hasPaid: book.all('invoice').some(({ paid }) => paid > 0) || book.sumOf('opening') > 0,
  }
}
