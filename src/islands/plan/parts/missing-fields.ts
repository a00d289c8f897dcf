import { QUANTITY_MAX } from '../../../../contract/billing/money.ts'
import type { Checkout } from '../../../stores/billing/checkout.ts'

/** Field that the user must change before paying. `text`: the next step; if it is '', nothing is missing. */
export interface MissingField {
  readonly text: string
  readonly field: 'period' | 'cameras' | 'payment' | 'coupon'
}

export function findMissingField({ form, price }: Checkout, hasMethod: boolean): MissingField {
  const { period, quantity } = form
  if (period === '') return { text: 'Choose monthly or annual', field: 'period' }
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > QUANTITY_MAX)
    return { text: `Choose 1 to ${QUANTITY_MAX} cameras`, field: 'cameras' }
  if (price.state === 'same') return { text: 'No changes yet', field: 'period' }
  if (price.state === 'ready' && price.quote.due > 0 && !hasMethod)
    return { text: 'Add a payment method', field: 'payment' }
  return { text: '', field: 'period' }
}

export const getFieldId = (field: MissingField['field']): string => `plan-${field}`

export function focusField(field: MissingField['field']): void {
  const element = document.getElementById(getFieldId(field))
  element?.scrollIntoView({ block: 'center' })
  element?.querySelector<HTMLElement>('input:not([aria-disabled]), button')?.focus()
}
