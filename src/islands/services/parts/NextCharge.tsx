import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { inMoney } from '../../../domain/money.ts'
import { chargeName, dayWords, methodFact, methodName } from '../../../domain/payment-words.ts'
import { $payment } from '../../../stores/commerce/payment-methods.ts'
import { CardMark } from '../../../ui/CardMark.tsx'
import { Money } from '../../../ui/Money.tsx'

/** What is charged next, when, and what pays it. */
export function NextCharge() {
  const { isLoaded, methods, upcoming, balance } = useStore($payment)
  const [now] = useState(Date.now)
  const [next] = upcoming.toSorted((one, other) => one.at - other.at)
  if (!isLoaded || !next) return null
  const method = methods.find(({ method_id }) => method_id === next.method_id)
  return (
    <section className="card next-charge" aria-label="Next charge">
      <p className="text-small text-ink-2 font-bold">Next charge</p>
      <Money cents={next.due} className="money-total" />
      <p className="text-small text-ink-2">
        {dayWords(next.at, now)} · {chargeName(next)}, with tax
      </p>
      {balance > 0 && <p className="text-small text-ink-2">Your balance of {inMoney(balance)} is used first.</p>}
      <div className="next-method">
        {method && <CardMark brand={method.brand} />}
        <span className="row-text">
          <b>{method ? methodName(method) : 'Nothing pays it'}</b>
          <small>{method ? methodFact(method) : 'Add a method before that day.'}</small>
        </span>
        <a className="text-action" href="/account/payment">
          {method ? 'Change' : 'Add'}
        </a>
      </div>
    </section>
  )
}
