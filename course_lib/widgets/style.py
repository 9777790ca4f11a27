"""The style sheet of live widgets.

Its few colors are readable on black and on white; all others are inherited from the theme.
"""

STYLE = """
/* practice quizzes: long choices wrap */
.course-quiz .widget-radio-box { max-width: 100%; width: 100% }
.course-quiz .widget-radio-box label { white-space: normal; height: auto; line-height: 1.4; margin: 0.2em 0;
  overflow: visible; display: flex; align-items: center; gap: 0.5em }
.course-quiz .widget-radio-box input { order: -1; flex: 0 0 auto }
.course-quiz .widget-html-content { white-space: normal; line-height: 1.4 }

/* flows: lines take the color of the text; in a narrow place the rows become a list */
.course-form { --course-down: linear-gradient(currentColor, currentColor) center / 2px 100% no-repeat }
.course-form .widget-html, .course-form .widget-html-content { height: auto; line-height: 1.4; overflow: visible;
  white-space: normal }
.course-flow-place { container-type: inline-size; width: 100%; max-width: 58em; overflow: visible }
.course-flow { width: 100%; overflow: visible }
.course-flow > * { margin: 0; min-width: 0; overflow: visible }
.course-lines { display: grid; height: 1.5em }
.course-line { background: var(--course-down); position: relative }
.course-left { background: var(--course-down), linear-gradient(currentColor, currentColor) 0 0 / 50% 2px no-repeat }
.course-right { background: var(--course-down), linear-gradient(currentColor, currentColor) 100% 0 / 50% 2px no-repeat }
.course-left.course-right { background: var(--course-down), linear-gradient(currentColor, currentColor) 0 0 / 100% 2px
  no-repeat }
.course-head::after { content: ""; position: absolute; bottom: -1px; left: calc(50% - 5px); border: solid transparent;
  border-width: 8px 5px 0; border-top-color: currentColor }
.course-passing { background: var(--course-down) }
.course-block { border: 1.5px solid #3d8fc4; border-radius: 7px; padding: 0.35em 0.5em; margin: 0 0.4em !important;
  background: rgba(61, 143, 196, 0.14) }
.course-block, .course-carried { align-items: center; justify-content: center }
.course-block .widget-html, .course-carried .widget-html { width: 100%; text-align: center; margin: 0 }
/* what an arrow carries stands at its top, and the rest of the room is arrow */
.course-carried::after { content: ""; flex: 1 0 0; width: 100%; background: var(--course-down) }
.course-carried:has(.course-given) { justify-content: end }
.course-carried:has(.course-given)::after { display: none }
.course-carried .course-said:has([role=status]:empty) { background: var(--course-down) }
.course-formula { display: none }
@container (max-width: 32em) {
  .course-flow { display: flex !important; flex-flow: column nowrap; gap: 0.5em }
  .course-connector, .course-passing, .course-carried::after { display: none !important }
  .course-form .widget-html.course-formula { display: block; opacity: 0.8 }
  .course-form .course-said:has([role=status]:empty) { background: none; min-height: 0 }
}

.course-chip { width: 100%; align-items: center; overflow: visible }

/* fields: a solid frame for what fits, a dashed one for what does not */
.course-field.widget-text { width: 92%; max-width: 15em; height: auto; flex-flow: column nowrap; margin: 0 }
.course-field > label, .course-given b { font-family: var(--jp-code-font-family, monospace); font-weight: 600 }
.course-field.widget-text > label { width: 100%; max-width: none; text-align: center; height: auto; line-height: 1.5;
  padding: 0; margin: 0 }
.course-block .course-field.widget-text { flex-flow: row nowrap; align-items: center }
.course-block .course-field.widget-text > label { width: auto; flex: 0 0 auto; padding-right: 0.5em }
.course-field.widget-text > input { width: 100%; min-width: 0; text-align: center; border-radius: 5px;
  font-family: var(--jp-code-font-family, monospace) }
.course-fits.widget-text > input { border: 2px solid #3d8fc4 }
.course-breaks.widget-text > input { border: 2px dashed #d55e00 }
.course-said { min-height: 1.4em; font-size: 0.92em }
"""
