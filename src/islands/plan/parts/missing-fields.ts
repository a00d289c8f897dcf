import { QUANTITY_MAX } from '../../../../contract/billing/money.ts'
import type { Checkout } from '../../../stores/billing/checkout.ts'

/** Field that must be filled in before the button can pay. `text`: the next step; '' if nothing is missing. */
export interface Missing {
  readonly text: string
  readonly at: 'period' | 'cameras' | 'payment' | 'coupon'
}

export function findMissing({ form, price }: Checkout, hasMethod: boolean): Missing {
  const { period, quantity } = form
  if (period === '') return { text: 'Choose monthly or annual', at: 'period' }
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > QUANTITY_MAX)
    return { text: `Choose 1 to ${QUANTITY_MAX} cameras`, at: 'cameras' }
  if (price.state === 'same') return { text: 'Nothing is changed yet', at: 'period' }
  if (price.state === 'ready' && price.quote.due > 0 && !hasMethod) return { text: 'Add a way to pay', at: 'payment' }
  return { text: '', at: 'period' }
}

export const fieldId = (at: Missing['at']): string => `plan-${at}`

/** Scrolls to the missing field and focuses it. */
export function goTo(at: Missing['at']): void {
  const place = document.getElementById(fieldId(at))
  place?.scrollIntoView({ block: 'center' })
  place?.querySelector<HTMLElement>('input:not([aria-disabled]), button')?.focus()
}
