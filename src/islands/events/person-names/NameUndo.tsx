import { useStore } from '@nanostores/react'
import { $peopleUndo, closePeopleUndo, undoLastPeopleChange } from '../../../stores/people/undo.ts'
import { UndoNote } from '../../../ui/UndoNote.tsx'

/** Shows the last change to people (name, merge or hiding), with an undo button. */
export function NameUndo() {
  const last = useStore($peopleUndo)
  return last && <UndoNote key={last.until} text={last.text} undo={undoLastPeopleChange} onClose={closePeopleUndo} />
}
