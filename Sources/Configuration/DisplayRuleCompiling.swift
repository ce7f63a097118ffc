internal import DisplayRules

/// Hands the rules over to the module that knows expressions, and its errors to the places in the file.
func displayRuleSet(_ drafts: [DisplayRuleDraft], _ context: Context) -> DisplayRuleSet {
    DisplayRuleSet()
}
