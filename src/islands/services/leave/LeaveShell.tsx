import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { type MouseEvent, type ReactNode, useLayoutEffect, useRef } from 'react'

const STEPS = ['Reason', 'What happens', 'Confirm', 'Done'] as const

interface ShellProps {
  step: 1 | 2 | 3 | 4
  onClose: () => void
  /** Where the focus goes back to when what opened it is gone. */
  planId: string
  /** The part of the step. */
  children: ReactNode
}

/** The dialog in which a plan is left, with its steps. Escape, the cross and a press beside it keep the plan. */
export function LeaveShell({ step, onClose, planId, children }: ShellProps) {
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
  const onPress = ({ target }: MouseEvent) => target === element.current && onClose()
  return (
    <dialog ref={element} className="dialog leave" aria-labelledby="leave-title" onClose={onClose} onClick={onPress}>
      <div className="leave-box">
        <header>
          <Path step={step} />
          <button type="button" className="icon-btn" aria-label="Close" onClick={onClose}>
            <X size={20} aria-hidden="true" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}

const focusCard = (planId: string) =>
  [...document.querySelectorAll<HTMLElement>('[data-plan]')].find((one) => one.dataset['plan'] === planId)?.focus()

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
