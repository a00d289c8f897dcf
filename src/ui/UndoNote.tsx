import X from 'lucide-react/icons/x'
import { Button } from './Button.tsx'
import { useAction } from './use-action.ts'

interface UndoNoteProps {
  readonly text: string
  readonly undo: () => Promise<null>
  readonly onClose: () => void
}

export function UndoNote({ text, undo, onClose }: UndoNoteProps) {
  const { isBusy, run } = useAction()
  return (
    <div className="undo-note" role="group" aria-label="Undo">
      <p role="status">{text}</p>
      <Button kind="soft" size="sm" isBusy={isBusy} onClick={() => void run(undo)}>
        Undo
      </Button>
      <button type="button" className="icon-btn" aria-label="Close" onClick={onClose}>
        <X size={18} aria-hidden="true" />
      </button>
    </div>
  )
}
