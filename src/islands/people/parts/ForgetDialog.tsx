import { Button } from '../../../ui/Button.tsx'
import { Sheet } from '../../../ui/Sheet.tsx'
import { type ActionFailure, useAction } from '../../../ui/use-action.ts'

interface ForgetDialogProps {
  title: string
  text: string
  button: string
  onForget: () => Promise<ActionFailure | null>
  onClose: () => void
}

/** Confirmation dialog for deleting names and face data. */
export function ForgetDialog({ title, text, button, onForget, onClose }: ForgetDialogProps) {
  const { isBusy, run } = useAction()
  const confirmDeletion = () => void run(onForget).then((isDone) => isDone && onClose())
  return (
    <Sheet
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button kind="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="danger" className="long-name" isBusy={isBusy} busyText="Deleting…" onClick={confirmDeletion}>
            {button}
          </Button>
        </>
      }
    >
      <p className="long-words">{text}</p>
    </Sheet>
  )
}
