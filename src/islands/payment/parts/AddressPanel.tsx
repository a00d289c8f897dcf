import { useStore } from '@nanostores/react'
import { $paymentMethods } from '../../../stores/billing/payment-methods.ts'
import { useCardPage } from './use-card-page.ts'

/** Billing address, which is the address of the default card. */
export function AddressPanel() {
  const { address } = useStore($paymentMethods)
  const { isBusy, open } = useCardPage()
  if (address.length === 0) return null
  return (
    <section className="panel side-panel" aria-labelledby="address-title">
      <h3 id="address-title">Billing address</h3>
      <address className="text-small text-ink-2">
        {address.map((line, at) => (
          <span key={at}>{line}</span>
        ))}
      </address>
      <button type="button" className="text-action" aria-disabled={isBusy} onClick={() => open()}>
        Edit address
      </button>
    </section>
  )
}
