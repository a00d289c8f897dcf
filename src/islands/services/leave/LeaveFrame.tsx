import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { type MouseEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'

const STEPS = ['Reason', 'What happens', 'Confirm', 'Done'] as const

interface Props {
  step: 1 | 2 | 3 | 4
  title: string
  note?: ReactNode
  onClose: () => void
  children: ReactNode
  /** Its two buttons: on a phone they stay at the foot. */
  foot: ReactNode
  /** Where the focus goes back to when what opened it is gone. */
  planId: string
}

/** The dialog in which a plan is left: its steps, what is said, two buttons. Escape, the cross and a press beside it keep the plan. */
export function LeaveFrame({ step, title, note, onClose, children, foot, planId }: Props) {
  const element = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (document.activeElement === document.body) focusCard(planId)
    }
  }, [planId])
  // Whoever goes on hears where they are.
  useEffect(() => heading.current?.focus(), [title])
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
        <div className="leave-body">
          <div>
            <h2 ref={heading} id="leave-title" tabIndex={-1}>
              {title}
            </h2>
            {note && <p className="leave-note">{note}</p>}
          </div>
          {children}
        </div>
        <footer>{foot}</footer>
      </div>
    </dialog>
  )
}

const focusCard = (planId: string) =>
  [...document.querySelectorAll<HTMLElement>('[data-plan]')].find((one) => one.dataset['plan'] === planId)?.focus()

function Path({ step }: Pick<Props, 'step'>) {
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
