import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { methodName } from '../../../domain/copy/payment-methods.ts'
import { removePaymentMethod } from '../../../stores/billing/payment-methods.ts'
import { Button } from '../../../ui/Button.tsx'
import { Sheet } from '../../../ui/Sheet.tsx'
import { useAction } from '../../../ui/use-action.ts'

/** Asks for confirmation before it removes a payment method, because a removed method has to be entered again. */
export function RemoveMethodSheet({ method, onClose }: { method: PaymentMethod; onClose: () => void }) {
  const { isBusy, run } = useAction()
  const remove = () => void run(() => removePaymentMethod(method)).then(onClose)
  return (
    <Sheet
      title={`Remove ${methodName(method)}?`}
      onClose={onClose}
      foot={
        <>
          <Button kind="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="danger" isBusy={isBusy} busyText="Removing…" onClick={remove}>
            Remove
          </Button>
        </>
      }
    >
      <p>
        We won’t charge this payment method again. To use it later, you’ll need to add it again. Your paid invoices
        won’t be affected.
      </p>
    </Sheet>
  )
}
