// Package account says where the time of an estimate goes. It plays the rows of a table
// (estimate/table) under a mapping and knows nothing of how they were made:
//
//	lines, err := account.Timelines(e, m, estimate.ExecutionBased, 8)
//	for _, l := range lines {
//		fmt.Println(l.Name, l.Executions, l.Seconds) // their products and the serial time add up to Estimate's
//	}
//
// It does not schedule anything itself, and has nothing to say of techniques without rows.
package account
