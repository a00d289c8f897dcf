import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { type MouseEvent, type ReactNode, type SyntheticEvent, useLayoutEffect, useRef } from 'react'
import { focusCard } from '../parts/focus-card.ts'

const STEP_NAMES = ['Reason', 'What happens', 'Confirm', 'Done'] as const

interface CancelDialogShellProps {
  step: 1 | 2 | 3 | 4
  onClose: () => void
  /** True while an action runs; the dialog stays open until it finishes. */
  isBusy: boolean
  /** Id of the subscription whose card gets the focus after closing, if the opening button no longer exists. */
  planId: string
  children: ReactNode
}

/**
 * Dialog around the steps of a cancellation. While no action runs, Escape, the close button, and a click outside close
 * the dialog without changing the plan.
 */
export function CancelDialogShell({ step, onClose, isBusy, planId, children }: CancelDialogShellProps) {
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => {
      dialog?.close()
      const { activeElement } = document
      if (activeElement === document.body || dialog?.contains(activeElement)) focusCard(planId)
    }
  }, [planId])
  const close = () => {
    if (!isBusy) onClose()
  }
  const onBackdropClick = ({ target }: MouseEvent) => target === element.current && close()
  // Closes in the `cancel` event, because browsers fire `close` later and the page may reload before that.
  const onCancel = (event: SyntheticEvent) => (isBusy ? event.preventDefault() : onClose())
  // On a second Escape, browsers close the dialog although `preventDefault` stopped the first one, so open it again.
  const onClosed = () => (isBusy ? element.current?.showModal() : onClose())
  return (
    <dialog
      ref={element}
      className="dialog leave"
      aria-labelledby="leave-title"
      onCancel={onCancel}
      onClose={onClosed}
      onClick={onBackdropClick}
    >
      <div className="leave-box">
        <header>
          <StepIndicator step={step} />
          <button type="button" className="icon-btn" aria-label="Close" onClick={close}>
            <X size={20} aria-hidden="true" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}

function StepIndicator({ step }: Pick<CancelDialogShellProps, 'step'>) {
  return (
    <ol className="leave-steps" aria-label="Steps">
      {STEP_NAMES.map((name, index) => {
        const number = index + 1
        const isDone = number < step || step === 4
        return (
          <li key={name} aria-current={number === step ? 'step' : undefined} data-done={isDone || undefined}>
            <span aria-hidden="true">{isDone ? <Check size={14} /> : number}</span>
            <b>{name}</b>
          </li>
        )
      })}
    </ol>
  )
}
