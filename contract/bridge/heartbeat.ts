/**
 * Text of a heartbeat and of its answer. The runtime compares the text and answers without running the provider's code.
 * Earlier bridge versions require the field `now` of the answer, but do not use it.
 */
export const HEARTBEAT_TEXT = '{"type":"ping"}'
export const HEARTBEAT_ANSWER_TEXT = '{"type":"pong","now":0}'
