import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { type MouseEvent, type ReactNode, type SyntheticEvent, useLayoutEffect, useRef } from 'react'
import { focusCard } from '../parts/focus-card.ts'

const STEPS = ['Reason', 'What happens', 'Confirm', 'Done'] as const

interface ShellProps {
  step: 1 | 2 | 3 | 4
  onClose: () => void
  /** Something is under way whose end is to be seen: nothing closes it until then. */
  isBusy: boolean
  /** Where the focus goes back to when what opened it is gone. */
  planId: string
  /** The part of the step. */
  children: ReactNode
}

/** The dialog in which a plan is left, with its steps. Escape, the cross and a press beside it keep the plan. */
export function LeaveShell({ step, onClose, isBusy, planId, children }: ShellProps) {
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
  const onPress = ({ target }: MouseEvent) => target === element.current && close()
  // At once: the browser says only later that it has closed it, and a page may be loaded anew before that.
  const onCancel = (event: SyntheticEvent) => (isBusy ? event.preventDefault() : onClose())
  // A browser closes it by a second Escape, whatever is said to the first one.
  const onClosed = () => (isBusy ? element.current?.showModal() : onClose())
  return (
    <dialog
      ref={element}
      className="dialog leave"
      aria-labelledby="leave-title"
      onCancel={onCancel}
      onClose={onClosed}
      onClick={onPress}
    >
      <div className="leave-box">
        <header>
          <Path step={step} />
          <button type="button" className="icon-btn" aria-label="Close" onClick={close}>
            <X size={20} aria-hidden="true" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}

function Path({ step }: Pick<ShellProps, 'step'>) {
  return (
    <ol className="leave-steps" aria-label="Steps">
      {STEPS.map((name, at) => {
        const number = at + 1
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
